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

/** The name of the file that a URL without a host names; undefined for other URLs. */
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

/** Puts a script before the last closing tag of the body, else at the end. */
function insertScript(html: string, markup: string): string {
  const at = [...html.matchAll(/<\/body/gi)].at(-1)?.index ?? html.length
  return html.slice(0, at) + markup + html.slice(at)
}

/** Puts a style sheet at the end of the head, else before the page's first element. */
function insertStyle(html: string, markup: string): string {
  const at = html.search(/<\/head/i)
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

const removeBlanks = (text: string) => text.replaceAll(/\s+/g, '')

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

/** The files that a page may use, and what has become of them. */
interface PageFiles {
  page: ReplyBlock
  /** the code of the page without blanks */
  pageText: string
  /** all blocks of the reply, in which files are found by their names */
  blocks: readonly ReplyBlock[]
  /** the style sheets and scripts beside the page, which are also found without a name */
  neighbours: readonly ReplyBlock[]
  /** style sheets and scripts that have been put into the page */
  used: Set<ReplyBlock>
  /** names of files that were not found */
  missing: Set<string>
}

/** Records the name of a missing file. Other texts, such as a placeholder of a template, are no names. */
const reportMissing = ({ missing }: PageFiles, name: string) => {
  if (fileNamePattern.test(name)) missing.add(name)
}

/** Whether a block only repeats a part of the page. */
const isExcerpt = ({ pageText }: PageFiles, { code }: ReplyBlock) => pageText.includes(removeBlanks(code))

/** Finds the style sheet or script that a tag names, by its name or its position beside the page. */
function takeFile(files: PageFiles, kind: 'css' | 'js', name: string): ReplyBlock | undefined {
  const unused = files.neighbours.filter((block) => block.kind === kind && !files.used.has(block))
  const linkedBlock =
    findByName(files.blocks, kind, name) ??
    unused.find((block) => block.filename === undefined && !isExcerpt(files, block)) ??
    (unused.length === 1 ? unused[0] : undefined)
  if (linkedBlock) files.used.add(linkedBlock)
  else reportMissing(files, name)
  return linkedBlock
}

/** A tag that names a file of the reply. */
interface FileTag {
  text: string
  attributes: string
  /** of the file */
  name: string
}

function inlinePicture(files: PageFiles, { text, name }: FileTag): string {
  const picture = findByName(files.blocks, 'svg', name)
  // a function, because `$` has a meaning in a text
  if (picture) return text.replace(srcPattern, () => ` src="${toDataUrl(picture.code)}"`)
  reportMissing(files, name)
  return text
}

function inlineStyleSheet(files: PageFiles, { text, attributes, name }: FileTag): string {
  const sheet = stylesheetPattern.test(attributes) ? takeFile(files, 'css', name) : undefined
  return sheet ? toStyle(sheet.code, attributes) : text
}

/** @param deferred gets the scripts that run when the page has been read */
function inlineScriptFile(files: PageFiles, { text, attributes, name }: FileTag, deferred: string[]): string {
  const script = takeFile(files, 'js', name)
  if (!script) return text
  const isModule = /\stype\s{0,5}=\s{0,5}["']?module/i.test(attributes)
  const markup = toScript(script.code, isModule)
  // modules always wait; for other scripts, `defer` has no effect without a file
  if (isModule || !/\s(?:defer|async)\b/i.test(attributes)) return markup
  deferred.push(markup)
  return ''
}

/** Puts the files that tags name in the place of the tags. */
function inlineNamedFiles(files: PageFiles): string {
  const deferred: string[] = []
  const html = files.page.code.replaceAll(
    fileTag,
    (text: string, element: string, attributes: string, end?: string) => {
      const kind = element.toLowerCase()
      const address = getAttribute(kind === 'link' ? hrefPattern : srcPattern, attributes)
      const name = address === undefined ? undefined : readLocalFileName(address)
      if (name === undefined) return text
      const tag = { text, attributes, name }
      if (kind === 'img') return inlinePicture(files, tag)
      if (kind === 'link') return inlineStyleSheet(files, tag)
      // a script without its end has code of its own, or is incomplete
      return end === undefined ? text : inlineScriptFile(files, tag, deferred)
    },
  )
  return deferred.reduce(insertScript, html)
}

/**
 * Creates the check whether a page needs a block of a kind that no tag names. It needs none if its tags name others, and no unnamed one if it has
 * code of its own.
 */
function createNeedCheck(
  { used }: PageFiles,
  html: string,
  kind: 'css' | 'js',
): (block: ReplyBlock) => boolean {
  const namesFiles = [...used].some((block) => block.kind === kind)
  const hasOwnCode = (kind === 'css' ? inlineStyle : inlineScript).test(html)
  return ({ filename }) => !namesFiles && (!hasOwnCode || filename !== undefined)
}

/** Puts style sheets and scripts beside the page into it, if it needs them. */
function addUnnamedFiles(files: PageFiles, html: string): string {
  const needs = { css: createNeedCheck(files, html, 'css'), js: createNeedCheck(files, html, 'js') }
  return files.neighbours.reduce((page, block) => {
    const { kind, code } = block
    if ((kind !== 'css' && kind !== 'js') || !needs[kind](block)) return page
    if (files.used.has(block) || isExcerpt(files, block)) return page
    if (kind === 'css') return insertStyle(page, toStyle(code))
    if (isServerCode(code)) return page
    files.used.add(block)
    return insertScript(page, toScript(code, isModuleCode(code)))
  }, html)
}

/** Records the modules that the scripts of the page import by a relative path: such an import has no address in a preview. */
function reportImports(files: PageFiles): void {
  for (const { kind, code } of files.used)
    if (kind === 'js')
      for (const [, address = ''] of code.matchAll(importedFile))
        reportMissing(files, readLocalFileName(address) ?? '')
}

/**
 * Puts the style sheets, scripts and pictures of a reply into its page. They are found by the names in the page's tags. A style sheet or script
 * whose name the reply does not tell, or that no tag names, is found by its position beside the page.
 */
export function inlinePageFiles(page: ReplyBlock, blocks: readonly ReplyBlock[]): InlinedPage {
  const neighbours = findNeighbours(blocks, page)
  const files: PageFiles = {
    page,
    pageText: removeBlanks(page.code),
    blocks,
    neighbours,
    used: new Set(),
    missing: new Set(),
  }
  const html = addUnnamedFiles(files, inlineNamedFiles(files))
  reportImports(files)
  return { html, missing: [...files.missing] }
}
