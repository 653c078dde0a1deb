/**
 * Loads something for each item, several at a time, and yields the results in the order of the items.
 * @param width how many loads run at the same time
 * @throws what `load` throws, once the results before it were taken; loads still running have settled when the iteration ends
 */
export async function* loadAhead<Item, Result>(
  items: readonly Item[],
  width: number,
  load: (item: Item) => Promise<Result>,
): AsyncGenerator<[Item, Result]> {
  const running: Promise<Result>[] = []
  let next = 0
  try {
    for (const item of items) {
      while (next < items.length && running.length < width) {
        const loading = load(items[next] as Item)
        loading.catch(() => undefined)
        running.push(loading)
        next += 1
      }
      yield [item, await (running.shift() as Promise<Result>)]
    }
  } finally {
    await Promise.allSettled(running)
  }
}
