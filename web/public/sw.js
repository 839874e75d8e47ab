// Shows notifications if the page cannot, as on a phone, or if no page is open. It stores nothing and answers no request.
const at = (path) => (client) => new URL(client.url).pathname === path;
const pages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

addEventListener("push", (event) => {
  const show = async () => {
    const { title, body, path } = event.data.json();
    const looking = (await pages()).some((client) => client.focused && at(path)(client));
    if (!looking) await registration.showNotification(title, { body, tag: `turn-${path}`, icon: "/icon-192.png", data: { path } });
  };
  event.waitUntil(show());
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  const go = async () => {
    const there = (await pages()).find(at(path));
    await (there ? there.focus() : clients.openWindow(path));
  };
  event.waitUntil(go());
});
