const requestsAtOnce = 16

/** Maps items in their order, with a limited number of requests at a time. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await map(items[at] as Item)
  }
  await Promise.all(Array.from({ length: Math.min(requestsAtOnce, items.length) }, work))
  return results
}
