/**
 * Repairs what models write most often and Mermaid refuses: labels with brackets, quotes or operators that are not quoted. For sources
 * that could not be drawn as they are. Lines keep their places.
 */
export function repairSource(source: string): string {
  const type = source.match(typePattern)?.[1] ?? ''
  const repairLine = repairs.find(([pattern]) => pattern.test(type))?.[1]
  if (!repairLine) return source
  let isHead = true
  return source
    .split('\n')
    .map((line) => {
      // front matter, comments and directives come before the type
      if (isHead && !typeLine.test(line)) return line
      const isFirst = isHead
      isHead = false
      return isFirst
        ? line.replace(firstStatement, (_, type: string, rest: string) => type + repairLine(rest))
        : repairLine(line)
    })
    .join('\n')
}

const types = String.raw`flowchart(?:-elk)?|graph|mindmap|sequenceDiagram|stateDiagram(?:-v2)?|erDiagram|pie|xychart(?:-beta)?|quadrantChart`
const typePattern = new RegExp(String.raw`^[ \t]*(${types})\b`, 'm')
const typeLine = new RegExp(String.raw`^\s*(?:${types})\b`)
/** A flow chart may go on behind its type. */
const firstStatement = /^([^;]*;)(.*)$/

const repairs: readonly (readonly [RegExp, (line: string) => string])[] = [
  [/^(?:flowchart|graph)/, repairFlow],
  [/^mindmap/, (line) => quoteLabels(line)],
  [/^sequenceDiagram/, (line) => repairSequence(line)],
  [/^stateDiagram/, (line) => repairState(line)],
  [/^erDiagram/, (line) => quoteRelation(line)],
  [/^pie/, (line) => quoteName(line, /^\s*[\d.]+\s*$/)],
  [/^xychart/, (line) => repairXyChart(line)],
  [/^quadrantChart/, (line) => repairQuadrant(line)],
]

const escape = (label: string) => label.trim().replaceAll('"', '#quot;')
const quote = (label: string) => (isQuoted(label) ? label : `"${escape(label)}"`)
const isQuoted = (label: string) => /^\s*"[^"]*"\s*$/.test(label)

/* ---- flow charts and mind maps ---- */

const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }
/** Shapes of nodes by what stands within their outer brackets. */
const innerShapes: readonly (readonly [open: string, close: string])[] = [
  ['((', '))'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['/', '/'],
  ['/', '\\'],
  ['\\', '\\'],
  ['\\', '/'],
]

/** The time of a repair has to grow with its text alone. */
const maxLabelCharacters = 500

/** @returns the place of the bracket that closes the one there; -1 if none does */
function findCloser(line: string, at: number): number {
  const open = line.charAt(at)
  const close = closers[open]
  let depth = 0
  for (let index = at; index < Math.min(line.length, at + maxLabelCharacters); index += 1) {
    const character = line.charAt(index)
    if (character === open) depth += 1
    else if (character === close) depth -= 1
    if (depth === 0) return index
  }
  return -1
}

/** Whether the bracket at the beginning is closed at the very end. */
const isEnclosed = (text: string, open: string, close: string) =>
  text.length > open.length + close.length &&
  text.startsWith(open) &&
  text.endsWith(close) &&
  (closers[open.charAt(0)] === undefined || findCloser(text, 0) === text.length - 1)

function quoteShape(content: string): string {
  const shape = innerShapes.find(([open, close]) => isEnclosed(content, open, close))
  if (!shape) return quote(content)
  const [open, close] = shape
  return open + quote(content.slice(open.length, -close.length)) + close
}

/** Quotes the labels of nodes, in brackets behind a name, and of arrows, between bars. */
function quoteLabels(line: string): string {
  let result = ''
  let at = 0
  while (at < line.length) {
    const character = line.charAt(at)
    const end =
      closers[character] !== undefined && /[\p{L}\p{N}_]/u.test(line.charAt(at - 1))
        ? findCloser(line, at)
        : -1
    const bar = character === '|' ? line.indexOf('|', at + 1) : -1
    if (end === at + 1) {
      // a label is never empty: the brackets are meant as a part of the name, as of a call or a list
      const name = /[\p{L}\p{N}_]{1,99}$/u.exec(result)?.[0] ?? ''
      result += `["${name}${character}${line.charAt(end)}"]`
      at = end + 1
    } else if (end > at + 1) {
      result += character + quoteShape(line.slice(at + 1, end)) + line.charAt(end)
      at = end + 1
    } else if (bar > at + 1) {
      result += `|${quote(line.slice(at + 1, bar))}|`
      at = bar + 1
    } else {
      result += character
      at += 1
    }
  }
  return result
}

/** Statements without labels, and those whose brackets mean something else. */
const otherStatement = /^\s*(?:%%|class\b|click\b|direction\b|end\s*$)/
/** A group with a name of several words, or with brackets in it. */
const group = /^(\s*subgraph\s+)([^"[\]\s][^"[\]]*)$/
const labelledGroup = /^(\s*subgraph\s+[^\s[\]"]+)\s*\[(.*)\]\s*$/
const arrowAtEnd = /(-->|---|-\.->|==>)(\s{0,9}[\p{L}\p{N}_]{1,99})\s{0,9}$/u

/** Puts a label that stands behind a colon, as in other diagrams, into its arrow. */
function moveLabel(line: string): string {
  const at = line.indexOf(':')
  const label = line.slice(at + 1).trim()
  if (at < 0 || label === '' || label.includes(':')) return line
  const head = line.slice(0, at)
  return arrowAtEnd.test(head)
    ? head.replace(arrowAtEnd, (_, arrow: string, target: string) => `${arrow}|${label}|${target}`)
    : line
}

/** Brackets are no part of a style. */
const rgbColour = /\brgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})[^)]{0,20}\)/g
const toHex = (_: string, ...colours: string[]) =>
  `#${colours
    .slice(0, 3)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')}`

/** A comment has a line of its own: one behind a statement is removed, unless it is in a label. */
function removeComment(line: string): string {
  let depth = 0
  let isText = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (character === '"') isText = !isText
    else if (isText) continue
    else if ('[({'.includes(character)) depth += 1
    else if ('])}'.includes(character)) depth -= 1
    else if (depth <= 0 && line.startsWith('%%', at)) return line.slice(0, at).trimEnd()
  }
  return line
}

function repairFlow(line: string): string {
  if (/^\s*(?:style|classDef|linkStyle)\b/.test(line)) return line.replaceAll(rgbColour, toHex)
  if (otherStatement.test(line) || line.includes('@{')) return line
  const labelled = labelledGroup.exec(line)
  if (labelled) return `${labelled[1]}[${quote(labelled[2] ?? '')}]`
  if (group.test(line))
    return line.replace(group, (all, start: string, name: string) =>
      /[^\p{L}\p{N}_]/u.test(name.trim()) ? `${start}"${escape(name)}"` : all,
    )
  // a word of the language is no name of a node
  const named = moveLabel(removeComment(line)).replaceAll(
    /(^|[\s>&|])end(?=\s*(?:$|[[({&;]|[-=.~<]))/g,
    '$1End',
  )
  return quoteLabels(named)
}

/* ---- other diagrams ---- */

/** Text of a sequence: of messages and notes, behind a colon; of blocks and participants. */
const sequenceTexts = [
  /^(\s{0,100}[^:\n]{1,200}(?:-|>)[^:\n]{1,200}:)(.*)$/,
  /^(\s{0,100}note\s[^:\n]{1,200}:)(.*)$/i,
  /^(\s{0,100}(?:loop|alt|else|opt|par|and|critical|option|break|rect|title|(?:create\s{1,9})?(?:participant|actor)\s)\b)(.*)$/,
]
/** A semicolon ends a statement. */
function repairSequence(line: string): string {
  const pattern = sequenceTexts.find((one) => one.test(line))
  return pattern ? line.replace(pattern, (_, start: string, text: string) => start + escapeSigns(text)) : line
}
const escapeSigns = (text: string, signs = /#\w{1,10};|;/g) =>
  text.replaceAll(signs, (part) => (part.length > 1 ? part : `#${part.charCodeAt(0)};`))

/** Text of a state, of a transition or of a note, behind a colon; a second colon ends it. */
const stateText = /^(\s{0,100}(?:note\s[^:\n]{1,200}|[^:\n]{1,300}?)\s{0,9}:(?!:))(.*)$/i
const repairState = (line: string) =>
  line.replace(stateText, (_, start: string, text: string) => start + escapeSigns(text, /#\w{1,10};|[;:]/g))

const relation = /[|}{o][|}{o](?:--|\.\.)[|}{o][|}{o]/

function quoteRelation(line: string): string {
  const at = line.indexOf(':') + 1
  const label = line.slice(at).trim()
  if (at === 0 || label === '' || label.includes('"') || !relation.test(line.slice(0, at))) return line
  return `${line.slice(0, at)} ${quote(label)}`
}

/** Quotes what stands before the first colon, if what follows is a value. */
function quoteName(line: string, value: RegExp): string {
  const at = line.indexOf(':')
  const name = line.slice(0, at).trim()
  if (at < 0 || name === '' || /["[\]]/.test(name) || !value.test(line.slice(at + 1))) return line
  return `${line.slice(0, line.indexOf(name))}${quote(name)} :${line.slice(at + 1)}`
}

/** Changes what follows a keyword. */
const changeRest = (line: string, keyword: RegExp, change: (rest: string) => string) => {
  const start = keyword.exec(line)?.[0]
  return start === undefined ? line : start + change(line.slice(start.length))
}

const isNumber = (text: string) => /^-?[\d.]+$/.test(text)
const quoteItem = (item: string) => (isNumber(item.trim()) ? item.trim() : quote(item))

/** An axis has a title, which may be absent, and a list or a range. */
function repairAxis(rest: string): string {
  const range = /(?:^|\s)-?[\d.]{1,20}\s{0,20}-->/.exec(rest)?.index
  const at = rest.indexOf('[') >= 0 ? rest.indexOf('[') : (range ?? rest.length)
  const [title, values] = [rest.slice(0, at).trim(), rest.slice(at).trim()]
  const list = values.startsWith('[') && values.endsWith(']')
  return [
    ...(title === '' ? [] : [quote(title)]),
    list ? `[${values.slice(1, -1).split(',').map(quoteItem).join(', ')}]` : values,
  ].join(' ')
}

const repairXyChart = (line: string) =>
  changeRest(changeRest(line, /^\s*title\s+/, quote), /^\s*[xy]-axis\s+/, repairAxis)

const repairQuadrant = (line: string) => {
  const axes = changeRest(line, /^\s*[xy]-axis\s+/, (rest) => rest.split('-->').map(quote).join(' --> '))
  return quoteName(changeRest(axes, /^\s*quadrant-\d\s+/, quote), /^\s*\[/)
}
