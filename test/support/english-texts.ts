import type { Page } from 'playwright-core'
import { collectTranslatable, hasWords, readCatalogue } from '../../web/translation/catalogues.ts'

/** What the page shows and says: texts, and the attributes that are read or shown. */
const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set([document.title])
    const ignored = 'script, style, code, pre, [data-reply-text], [lang]:not(html)'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (element?.closest(ignored)) continue
      if (node instanceof Element)
        for (const name of [
          'aria-label',
          'aria-description',
          'aria-roledescription',
          'title',
          'placeholder',
          'alt',
        ])
          texts.add(node.getAttribute(name) ?? '')
      else texts.add(node.textContent ?? '')
    }
    return [...texts].map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '')
  })

/** Words that are common in English and no words of German. */
const englishWords =
  /\b(?:the|and|of|your|you|is|are|to|not|with|for|this|that|from|by|it|its|be|been|has|have|please|yet|can|cannot|could|which|when|there|they|their|only|again|or)\b/gi

let isEnglish: ((text: string) => boolean) | undefined

/** Whether a text is the English one of a message or sentence whose translation differs, or reads like a sentence in English. */
function createEnglishCheck(): (text: string) => boolean {
  const { keys } = collectTranslatable()
  const catalogue = readCatalogue('de')
  const plain = new Set(
    [...keys].flatMap((key) => {
      const text = key.replace(/ \[[^\]]+\]$/, '')
      return catalogue[key] !== text && hasWords(text) && !text.includes('{') ? [text] : []
    }),
  )
  return (text) => plain.has(text) || (text.match(englishWords) ?? []).length > 1
}

/**
 * The texts of a page in German that are English.
 * @param own words of people, servers and brands, which stay as they are
 */
export async function findEnglish(page: Page, own: readonly string[] = []): Promise<string[]> {
  isEnglish ??= createEnglishCheck()
  const texts = await readTexts(page)
  return texts.filter((text) => isEnglish?.(text) && !own.includes(text))
}
