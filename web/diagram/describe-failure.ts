import type { DiagramFailure } from '#shared/diagram-frame.ts'

/** What a parser of Mermaid throws, as far as it tells something. */
interface ParseError {
  name?: unknown
  message?: unknown
  hash?: { text?: unknown; line?: unknown; loc?: { last_line?: unknown } }
  result?: {
    lexerErrors?: readonly { line?: unknown }[]
    parserErrors?: readonly { token?: { image?: unknown; startLine?: unknown } }[]
  }
}

const maxFoundCharacters = 40
const maxReasonCharacters = 200

/** Numbers of the lines that Mermaid reads: it takes out front matter, directives and comments first. */
function findReadLines(source: string): number[] {
  const lines = source.split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const isFrontMatter = lines[first]?.trim() === '---'
  const end = isFrontMatter ? lines.findIndex((line, index) => index > first && line.trim() === '---') : -1
  const start = Math.max(end, first - 1) + 1
  const numbers = lines.flatMap((line, index) => (index < start || /^\s*%%/.test(line) ? [] : [index + 1]))
  return numbers.slice(numbers.findIndex((number) => lines[number - 1]?.trim() !== ''))
}

const toLine = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined

/** Where a source cannot be read, and what stands there. */
export function describeFailure(error: unknown, source: string): DiagramFailure {
  const { name, message, hash, result } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as ParseError
  const text = typeof message === 'string' ? message : ''
  if (name === 'UnknownDiagramError') return { isUnknown: true }
  const token = result?.parserErrors?.[0]?.token
  const line =
    toLine(Number(/\bon line (\d{1,6})/.exec(text)?.[1])) ??
    toLine(result?.lexerErrors?.[0]?.line) ??
    toLine(token?.startLine)
  if (line === undefined) {
    // what did not load says nothing of the source
    const isLoading = /\bimport|\bfetch|\bload/i.test(text)
    return isLoading ? {} : { reason: text.split('\n', 1)[0]?.slice(0, maxReasonCharacters) }
  }
  const found = [hash?.text, token?.image].find((one) => typeof one === 'string' && one.trim() !== '')
  return {
    line: findReadLines(source)[line - 1] ?? line,
    ...(typeof found === 'string' && { found: found.trim().slice(0, maxFoundCharacters) }),
  }
}
