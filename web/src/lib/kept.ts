// What the browser keeps between visits, as JSON under a key.

/** What is kept under a key; nothing where storage is forbidden, or somebody else has written there. */
export function kept(key: string): Record<string, unknown> {
  try {
    const told: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof told === "object" && told !== null ? { ...told } : {};
  } catch {
    return {};
  }
}

/** Keep values beside the others under a key. Where storage is forbidden nothing is kept. */
export function keep(key: string, values: Record<string, unknown>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...kept(key), ...values }));
  } catch {
    // It lasts as long as the screen.
  }
}
