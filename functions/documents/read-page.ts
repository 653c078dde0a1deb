import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom/worker'
import type { ExtractedText, OmissionCounter } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { addText, readDecoded } from './read-text.ts'

/** Larger pages are lists of data rather than articles, and their whole text is taken. */
const maxHtmlCharacters = 3_000_000
const maxElements = 20_000
/** Of the text of a page without its menus, what its article has at least: else it is a page of another kind, such as a list. */
const minShare = 1 / 2
const minCharacters = 200

/** What is around the content of a page. */
const around =
  'nav, aside, footer, body > header, dialog, template, noscript, form[role="search"], [hidden], [role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"], [role="alertdialog"], [role="search"], [aria-modal="true"], [id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [class*="breadcrumb" i]'

interface PageElement {
  readonly textContent: string | null
  readonly innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
}

interface PageDocument {
  readonly body: PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

interface Page {
  document: PageDocument
  title: string
}

/** @param url of the page, from which its links are meant */
export const readPage = (bytes: Uint8Array, url: string): Promise<ExtractedText> =>
  readDecoded(bytes, (html, text, omissions) => addText(text, readMainText(html, url, omissions)))

/**
 * The main text of a page, below its title: without menus, banners and what else is around it. Links have whole addresses. Nothing of the
 * page runs or is loaded.
 */
export function readMainText(html: string, url: string, omissions?: OmissionCounter): string {
  const options = { ...(omissions && { omissions }) }
  if (html.length > maxHtmlCharacters || countTags(html) > maxElements)
    return readHtmlText(html, { ...options, hasTitle: true })
  const { document, title } = parse(html, url)
  for (const element of document.querySelectorAll(around)) element.remove()
  const body = document.body?.innerHTML ?? ''
  const rest = readHtmlText(body, options).trim()
  const article = readHtmlText(findArticle(html, url) ?? '', {}).trim()
  const isArticle = article.length >= minCharacters && article.length >= rest.length * minShare
  const main = isArticle ? article : rest
  const head = title === '' ? [] : [`# ${title}`]
  return [...head, dropTitle(main, title)].filter((part) => part !== '').join('\n\n')
}

const countTags = (html: string) => {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count += 1
  return count / 2
}

/** The page says its title again above its text. */
const dropTitle = (text: string, title: string) =>
  title !== '' && text.startsWith(`# ${title}\n`) ? text.slice(title.length + 3).trimStart() : text

/** The parser makes no body where the page begins none, as many do. */
const withBody = (html: string) =>
  /<body[\s>]/i.test(html)
    ? html
    : `<html><body>${html.replace(/<!doctype[^>]{0,1000}>|<\/?(?:html|head)(?:\s[^>]{0,1000})?>/gi, '')}</body></html>`

function parse(html: string, url: string): Page {
  const { document } = parseHTML(withBody(html)) as unknown as { document: PageDocument }
  const base =
    URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? new URL(url)
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    const address = href.startsWith('#') ? undefined : URL.parse(href, base.href)
    if (address && /^(?:https?|mailto|tel):$/.test(address.protocol)) link.setAttribute('href', address.href)
    else link.removeAttribute('href')
  }
  const title =
    document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent ?? ''
  for (const element of document.querySelectorAll('body title')) element.remove()
  return { document, title: title.replace(/\s+/g, ' ').trim().slice(0, 300) }
}

function findArticle(html: string, url: string): string | undefined {
  try {
    const found = new Readability(parse(html, url).document as never, {
      charThreshold: minCharacters,
    }).parse()
    return found?.content ?? undefined
  } catch {
    // a page that the library does not understand is taken whole
    return undefined
  }
}
