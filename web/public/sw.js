// What shows a notification where the page itself may not, as on a phone. It keeps nothing and answers no request.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  const go = async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((client) => new URL(client.url).pathname === path);
    await (there ? there.focus() : clients.openWindow(path));
  };
  event.waitUntil(go());
});
