export const listPairs = (text: string, separator: RegExp | string = /\s+/): [string, string][] =>
  text.split(separator).map((pair) => {
    const at = pair.indexOf(':')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
