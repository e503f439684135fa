/** Whether a store's location is the address of a PostgreSQL database rather than a file path. */
export function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:/.test(place);
}

/** The name of a store for people: a file by its path, a database by its host, port and name, without user and password. */
export function placeName(place: string): string {
  if (!isAddress(place)) return place;
  const url = URL.parse(place);
  if (!url) return "the address of DATABASE_URL";
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  return `${host || "localhost"}${url.port && `:${url.port}`}${url.pathname}`;
}
