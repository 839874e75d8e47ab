// Values in the browser's storage, as JSON under a key.

/** Return the values under a key; empty if storage is forbidden or its content is malformed. */
export function kept(key: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof stored === "object" && stored !== null ? { ...stored } : {};
  } catch {
    return {};
  }
}

/** Store values beside the others under a key. Without storage this does nothing. */
export function keep(key: string, values: Record<string, unknown>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...kept(key), ...values }));
  } catch {
    // The value lasts as long as the screen.
  }
}
