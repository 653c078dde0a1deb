import type { ReplyBlock } from './read-blocks.ts'
import { withNamespace } from './svg-document.ts'

/** A page with the style sheets, scripts and pictures of its reply. */
export interface InlinedPage {
  html: string
  /** names of files that the page uses and the reply does not have */
  missing: readonly string[]
}

/** Tags that name a file. Longer tags are not matched, so that the time grows with the length of the page alone. */
const fileTag = /<(link|script|img)\b([^<>]{0,2000})>(\s{0,20}<\/script\s{0,20}>)?/gi
const attributePattern = (name: string) =>
  new RegExp(String.raw`\s${name}\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i')
const hrefPattern = attributePattern('href')
const srcPattern = attributePattern('src')
const stylesheetPattern = /\srel\s{0,5}=\s{0,5}["']?[^"'>]*\bstylesheet\b/i

const getAttribute = (pattern: RegExp, attributes: string): string | undefined => {
  const [, double, single, bare] = pattern.exec(attributes) ?? []
  return double ?? single ?? bare
}

/** The name of the file that a relative URL names; undefined for other URLs. */
function readLocalFileName(address: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return undefined
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return path.split('/').at(-1)?.trim() || undefined
}

const toStyle = (css: string, attributes = '') => {
  const media = getAttribute(attributePattern('media'), attributes)
  return `<style${media === undefined ? '' : ` media="${media.replaceAll('"', '')}"`}>\n${css.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}\n</style>`
}
const toScript = (js: string, isModule: boolean) =>
  `<script${isModule ? ' type="module"' : ''}>\n${js.replaceAll(/<\/(?=script)/gi, String.raw`<\/`)}\n</script>`

/** Puts markup before the last closing tag of that name, else at the end. */
function insertBeforeEnd(html: string, tag: string, markup: string): string {
  const at = html.toLowerCase().lastIndexOf(`</${tag}`)
  return at < 0 ? html + markup : html.slice(0, at) + markup + html.slice(at)
}

function insertStyle(html: string, markup: string): string {
  const at = html.toLowerCase().indexOf('</head')
  if (at >= 0) return html.slice(0, at) + markup + html.slice(at)
  const start =
    /^[\s\ufeff]*(?:<!doctype[^>]{0,300}>\s*)?(?:<html[^>]{0,1000}>)?/i.exec(html)?.[0].length ?? 0
  return html.slice(0, start) + markup + html.slice(start)
}

const toDataUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(withNamespace(svg))}`

const fileNamePattern = /^[\p{L}\p{N}_@ .-]{1,80}\.[a-z\d]{1,8}$/iu
/** Modules that a script imports by a relative path. */
const importedFile = /\b(?:from|import)\s{0,5}\(?\s{0,5}['"](\.{0,2}\/[^'"\n]{1,200})['"]/g
const inlineStyle = /<style\b/i
/** A script element with code. */
const inlineScript = /<script\b(?![^>]{0,2000}\ssrc\s{0,5}=)[^>]{0,2000}>\s{0,100}[^<\s]/i

const isModuleCode = (js: string) => /^[ \t]{0,99}(?:import\s{0,9}[\w{*'"]|export\s)/m.test(js)
/** Whether a script is for a server, or needs a bundler. */
const isServerCode = (js: string) =>
  /\brequire\(|\bmodule\.exports\b|\bprocess\.(?:env|argv)\b|\bfrom\s*['"](?![./]|https?:)/.test(js)

const withoutBlanks = (text: string) => text.replaceAll(/\s+/g, '')

/** Finds the style sheets and scripts that may belong to a page: those after it, up to the next page; for the first page also those before it. */
function findNeighbours(blocks: readonly ReplyBlock[], page: ReplyBlock): ReplyBlock[] {
  const pages = blocks.filter(({ kind }) => kind === 'html')
  let owner = pages[0]
  return blocks.filter((block) => {
    if (block.kind === 'html') owner = block
    return owner === page && isPart(block)
  })
}

const isPart = ({ kind, isComplete }: ReplyBlock) => (kind === 'css' || kind === 'js') && isComplete

const findByName = (blocks: readonly ReplyBlock[], kind: ReplyBlock['kind'], name: string) =>
  blocks.findLast(
    (block) =>
      block.kind === kind && block.isComplete && block.filename?.toLowerCase() === name.toLowerCase(),
  )

/**
 * Puts the style sheets, scripts and pictures of a reply into its page. They are found by the names in the page's tags. A style sheet or script
 * whose name the reply does not tell, or that no tag names, is found by its position beside the page.
 */
export function inlinePageFiles(page: ReplyBlock, blocks: readonly ReplyBlock[]): InlinedPage {
  const neighbours = findNeighbours(blocks, page)
  const used = new Set<ReplyBlock>()
  const missing = new Set<string>()
  const reportMissing = (name: string) => fileNamePattern.test(name) && missing.add(name)
  const deferred: string[] = []
  const ownCode = withoutBlanks(page.code)
  /** whether a block only repeats a part of the page */
  const isExcerpt = ({ code }: ReplyBlock) => ownCode.includes(withoutBlanks(code))
  const takeFile = (kind: 'css' | 'js', name: string): ReplyBlock | undefined => {
    const free = neighbours.filter((block) => block.kind === kind && !used.has(block))
    const linkedBlock =
      findByName(blocks, kind, name) ??
      free.find((block) => block.filename === undefined && !isExcerpt(block)) ??
      (free.length === 1 ? free[0] : undefined)
    if (linkedBlock) used.add(linkedBlock)
    else reportMissing(name)
    return linkedBlock
  }
  let html = page.code.replaceAll(
    fileTag,
    (tag: string, element: string, attributes: string, end?: string) => {
      const kind = element.toLowerCase()
      const address = getAttribute(kind === 'link' ? hrefPattern : srcPattern, attributes)
      const name = address === undefined ? undefined : readLocalFileName(address)
      if (name === undefined) return tag
      if (kind === 'img') {
        const picture = findByName(blocks, 'svg', name)
        if (picture) return tag.replace(address ?? '', () => toDataUrl(picture.code))
        reportMissing(name)
        return tag
      }
      if (kind === 'link') {
        const sheet = stylesheetPattern.test(attributes) ? takeFile('css', name) : undefined
        return sheet ? toStyle(sheet.code, attributes) : tag
      }
      const script = end === undefined ? undefined : takeFile('js', name)
      if (!script) return tag
      const isModule = /\stype\s{0,5}=\s{0,5}["']?module/i.test(attributes)
      const markup = toScript(script.code, isModule)
      // a script in the page has no `defer`
      if (!/\s(?:defer|async)\b/i.test(attributes) || isModule) return markup
      deferred.push(markup)
      return ''
    },
  )
  html = deferred.reduce((page, markup) => insertBeforeEnd(page, 'body', markup), html)
  // a page that names its files, or has code of its own, needs no unnamed ones
  const getMissingKind = (kind: 'css' | 'js') => ({
    named: [...used].every((block) => block.kind !== kind),
    unnamed: !(kind === 'css' ? inlineStyle : inlineScript).test(html),
  })
  const missingKinds = { css: getMissingKind('css'), js: getMissingKind('js') }
  for (const block of neighbours) {
    if (block.kind !== 'css' && block.kind !== 'js') continue
    const { named, unnamed } = missingKinds[block.kind]
    if (used.has(block) || isExcerpt(block) || !named || !(unnamed || block.filename !== undefined)) continue
    if (block.kind === 'css') html = insertStyle(html, toStyle(block.code))
    if (block.kind === 'css' || isServerCode(block.code)) continue
    used.add(block)
    html = insertBeforeEnd(html, 'body', toScript(block.code, isModuleCode(block.code)))
  }
  for (const { kind, code } of used)
    if (kind === 'js')
      for (const [, address = ''] of code.matchAll(importedFile))
        reportMissing(readLocalFileName(address) ?? '')
  return { html, missing: [...missing] }
}
