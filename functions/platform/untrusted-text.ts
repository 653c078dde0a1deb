import { truncate } from '#shared/truncate.ts'
import type {} from './exact-json.ts'

/**
 * Invisible characters, which could spell a text for the model alone or split a word that is searched for, and those that change the
 * direction of the text. The selectors of emoji stay.
 */
const invisibleCharacters = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2800]--[\ufe0e-\ufe0f\n\t]]/gv

/** Those of them that are shown as nothing. */
const ignorableCharacters = /[\p{Default_Ignorable_Code_Point}--[\ufe0e-\ufe0f]]/gv

const cleanCharacters = (text: string) => text.replace(invisibleCharacters, '')

/** A copy of JSON data with clean texts, the names of its fields among them. @param data not deeper than the engine's stack */
export function cleanData(data: unknown): unknown {
  if (typeof data === 'string') return cleanCharacters(data)
  if (Array.isArray(data)) return data.map(cleanData)
  if (typeof data !== 'object' || data === null || JSON.isRawJSON(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [cleanCharacters(name), cleanData(each)]),
  )
}

/** Cleans untrusted text for the model: no control characters, no direction overrides, at most `maxCharacters`. */
export function cleanText(text: unknown, maxCharacters = 1_000): string {
  if (typeof text !== 'string') return ''
  const clean = cleanCharacters(text).trim()
  return clean.length <= maxCharacters ? clean : `${truncate(clean, maxCharacters)}…`
}

/** The names of HTML 4 for the characters from U+00A0 to U+00FF, in their order. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
/** Those that mails and pages have most, by name. */
const entities: ReadonlyMap<string, string> = new Map([
  ...latinNames.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    Yuml: 'Ÿ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    zwnj: '\u200c',
    zwj: '\u200d',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    lsaquo: '‹',
    rsaquo: '›',
    bull: '•',
    hellip: '…',
    euro: '€',
    trade: '™',
    larr: '←',
    rarr: '→',
  }),
])

const decodeEntities = (text: string) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities.get(name) ?? entities.get(name.toLowerCase()) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

/**
 * Removes tags. One that has another `<` in it ends at the first `>`: https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state
 * Behind the last `>` there is no tag, so each that begins ends, and the time is linear.
 */
function removeTags(html: string): string {
  const end = html.lastIndexOf('>') + 1
  const tagged = html.slice(0, end)
  return (
    tagged
      .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^>]*>/gi, '\n')
      .replace(/<[a-z/!?][^>]*>|<[^<>]*>/gi, ' ') + html.slice(end)
  )
}

/** Elements without an end. */
const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** How much of an element's attributes is looked at. */
const maxAttributes = 4_000

/** Whether the element is not shown, as senders hide texts for lists of mails, or for programs that read them. */
function isHidden(attributes: string): boolean {
  if (!/none|hid/i.test(attributes)) return false
  const own = attributes.slice(0, maxAttributes)
  const [, double, single, plain] =
    /(?<![\w-])style\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(own) ?? []
  const style = double ?? single ?? plain ?? ''
  if (/\b(?:display\s{0,9}:\s{0,9}none|mso-hide\s{0,9}:\s{0,9}all)/i.test(style)) return true
  return /(?:^|\s)hidden(?:[\s=/]|$)/i.test(own.replace(/"[^"]*"|'[^']*'/g, '""'))
}

/** Longer ones count clicks, and hardly ever lead anywhere without being followed. */
const maxLinkCharacters = 400
/** Of a link, in which its address is looked for. */
const maxLinkText = 500

/** The address of a link that its words do not say. */
function findAddress(attributes: string, inner: string): string | undefined {
  const [, double, single] =
    /(?<![\w-])href\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/i.exec(attributes.slice(0, maxAttributes)) ?? []
  const address = httpsLink(decodeEntities(double ?? single ?? '').trim())
  if (address === undefined || address.length > maxLinkCharacters) return undefined
  if (inner.length > maxLinkText) return address
  const words = decodeEntities(removeTags(inner)).trim()
  return words === '' || words.includes(address.replace(/\/$/, '')) ? undefined : address
}

/**
 * Removes elements that are hidden, in linear time. One without an end hides nothing: an end tag that is left out must not take the rest
 * of the text with it.
 * @param withLinks whether the addresses of links are put behind their words
 */
function removeHidden(html: string, withLinks: boolean): string {
  const open = new Map<string, { at: number; end: number; attributes: string }[]>()
  const edits: { from: number; to: number; text: string }[] = []
  for (const match of html.matchAll(/<(\/?)([a-z][a-z\d]{0,20})\b([^<>]*)>/gi)) {
    const [whole, slash, tag = '', attributes = ''] = match
    const name = tag.toLowerCase()
    if (voidElements.has(name)) continue
    const end = match.index + whole.length
    const starts = open.get(name) ?? []
    open.set(name, starts)
    if (slash === '') starts.push({ at: match.index, end, attributes })
    else {
      const start = starts.pop()
      if (!start) continue
      const address =
        withLinks && name === 'a'
          ? findAddress(start.attributes, html.slice(start.end, match.index))
          : undefined
      if (isHidden(start.attributes)) edits.push({ from: start.at, to: end, text: ' ' })
      else if (address !== undefined)
        edits.push({ from: match.index, to: match.index, text: ` (${address.replaceAll('&', '&amp;')})` })
    }
  }
  let shown = ''
  let at = 0
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from)) {
    // within one that is removed
    if (from < at) continue
    shown += html.slice(at, from) + text
    at = to
  }
  return shown + html.slice(at)
}

/** Comments, and elements whose content is not shown. One that nothing ends goes to the end, as in a browser. */
const unshown = /<!--(?:-?>|[^]*?(?:--!?>|$))|<(style|script|title|template)\b[^]*?(?:<\/\1\s{0,9}>|$)/gi

/**
 * Extracts the text of HTML that is shown, such as of mails and snippets, in linear time.
 * @param options `withLinks`: the addresses of links stand behind their words
 */
export function htmlToText(html: string, { withLinks = false } = {}): string {
  const shown = removeHidden(html.replace(unshown, ' '), withLinks)
  return (
    decodeEntities(removeTags(shown))
      .replaceAll('\r', ' ')
      // senders fill the preview of a list with them, and blanks between
      .replace(ignorableCharacters, '')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n\s*/g, '\n')
      .trim()
  )
}

/** Untrusted text as one line of plain text. */
export function plainLine(text: string, maxCharacters: number): string {
  const line = truncate(text, maxCharacters * 4)
    .replace(invisibleCharacters, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length > maxCharacters ? `${truncate(line, maxCharacters - 1)}…` : line
}

/** @returns the address when it is https, without credentials and not too long; other untrusted links are dropped */
export function httpsLink(address: unknown): string | undefined {
  const url = typeof address === 'string' && address.length <= 2_000 ? URL.parse(address) : null
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}
