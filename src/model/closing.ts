/** Closes a thing at the end of the block that has it: `await using store = closing(await openStore(path))`. */
export function closing<T extends { close(): unknown }>(thing: T): T & AsyncDisposable {
  return Object.assign(thing, {
    async [Symbol.asyncDispose]() {
      await thing.close();
    },
  });
}
