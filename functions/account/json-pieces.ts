/*
 * JSON documents in pieces, for arrays that are read while they are written. The pieces joined in order are what `JSON.stringify(value, null, 2)`
 * writes, and a line break.
 */

const indent = (value: unknown, by: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)

/** @param by indentation of the array in its document */
async function* formatElements(items: AsyncIterable<unknown>, by: string): AsyncGenerator<string> {
  let isEmpty = true
  for await (const item of items) {
    yield `${isEmpty ? '[' : ','}\n${by}  ${indent(item, `${by}  `)}`
    isEmpty = false
  }
  yield isEmpty ? '[]' : `\n${by}]`
}

/** Writes a JSON array while its elements are read. */
export async function* formatArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield* formatElements(items, '')
  yield '\n'
}

/** @param fields one at least; those that are undefined are left out. @param arrays after them, each with its elements */
export async function* formatObject(
  fields: Record<string, unknown>,
  arrays: Readonly<Record<string, AsyncIterable<unknown> | undefined>>,
): AsyncGenerator<string> {
  yield JSON.stringify(fields, null, 2).replace(/\n?\}$/, '')
  let isFirst = Object.values(fields).every((value) => value === undefined)
  for (const [name, items] of Object.entries(arrays)) {
    if (!items) continue
    yield `${isFirst ? '' : ','}\n  ${JSON.stringify(name)}: `
    isFirst = false
    yield* formatElements(items, '  ')
  }
  yield '\n}\n'
}

/** @returns the same elements; undefined if there are none */
export async function peek<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item> | undefined> {
  const iterator = items[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return undefined
  return (async function* () {
    yield first.value
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  })()
}
