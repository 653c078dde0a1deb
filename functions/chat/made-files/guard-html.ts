import { Parser } from 'htmlparser2'

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; form-action 'none'; base-uri 'none'"

/** Elements that reach the network whatever the policy says, or would weaken it. */
const isRefused = (name: string, attributes: Record<string, string>) =>
  name === 'base' || name === 'link' || (name === 'meta' && 'http-equiv' in attributes)

/** A page that runs no script and loads nothing, wherever it is opened: a policy comes before all of its content. */
export function guardHtml(text: string): string {
  const cuts: [from: number, to: number][] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isRefused(name, attributes)) cuts.push([parser.startIndex, parser.endIndex + 1])
    },
    onprocessinginstruction(name) {
      if (name.toLowerCase() === '!doctype') cuts.push([parser.startIndex, parser.endIndex + 1])
    },
  })
  parser.end(text)
  let rest = ''
  let at = 0
  for (const [from, to] of cuts) {
    rest += text.slice(at, from)
    at = to
  }
  rest += text.slice(at)
  return `<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n${rest.trimStart()}`
}
