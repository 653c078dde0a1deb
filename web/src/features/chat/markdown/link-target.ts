import { trimCharacters } from '#shared/trim-characters.ts'
import { removeHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

/** Decodes percent-encoding. A text with an encoding that is none, such as `%ff`, stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const removePhoneSeparators = (phoneNumberText: string) => phoneNumberText.replaceAll(/[\s().-]/g, '')

/** Whether a text is the name of a host, with at least one dot, or an IPv4 address; either may have a port. Numbers such as "1.2" are none. */
function isHost(text: string): boolean {
  const labels = text.replace(/:\d{1,5}$/, '').split('.')
  if (labels.length < 2 || !labels.every((label) => /^[\p{L}\p{N}_-]+$/u.test(label))) return false
  return (
    /\p{L}/u.test(labels.at(-1)?.slice(1) ?? '') ||
    (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label)))
  )
}

/** What may stand around an address: brackets, quotation marks, the end of a sentence. */
const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character) && character !== '_'

/** Lists the addresses in a word without a scheme, up to the path of the first. */
function listPlainAddresses(word: string): string[] {
  const beforePath = word.replace(/^mailto:/i, '').split(/[/?#\\]/, 1)[0] ?? ''
  const trimmed = trimCharacters(beforePath, isPunctuation)
  if (trimmed.includes('@')) return [trimmed]
  return trimmed
    .split(/[^\p{L}\p{N}_.:-]+/u)
    .map((part) => trimCharacters(part, isPunctuation))
    .filter(isHost)
}

/**
 * Lists the addresses that a reader sees in the text of a link: names of hosts without what follows them in a URL, and e-mail addresses. An
 * `@` stays, with what is before it.
 */
function listShownAddresses(text: string): string[] {
  const visibleText = removeHiddenCharacters(text).normalize('NFKC')
  return visibleText.split(/\s+/).flatMap((word) => {
    const url = /https?:\/\/([^/?#\\]*)/i.exec(word)
    if (!url) return listPlainAddresses(word)
    const authority = url[1] ?? ''
    // the brackets of an IPv6 address are a part of it
    const host = authority.startsWith('[') ? authority : trimCharacters(authority, isPunctuation)
    return [...listPlainAddresses(word.slice(0, url.index)), host]
  })
}

/**
 * Finds where a link leads that does not say so: its text has another address, or none.
 * @returns the host, the e-mail address or the phone number; undefined if the text of the link has it, or the URL has none or is invalid
 */
export function findHiddenTarget(href: string, text: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, host, pathname } = new URL(href)
  const target = protocol === 'mailto:' || protocol === 'tel:' ? decodePercent(pathname) : host
  if (target === '') return undefined
  if (protocol === 'tel:') {
    const isShown = removePhoneSeparators(text) === removePhoneSeparators(target)
    return isShown ? undefined : target
  }
  // the text may have the host in a part of another address, such as "https://bank.example/?from=evil.example"
  const addresses = listShownAddresses(text)
  const isShown =
    addresses.length > 0 && addresses.every((address) => address.toLowerCase() === target.toLowerCase())
  return isShown ? undefined : target
}

/** As `findHiddenTarget`, where links have titles of things: only if the text has another address than that of the link. */
export const findOtherTarget = (href: string, text: string): string | undefined =>
  listShownAddresses(text).length > 0 ? findHiddenTarget(href, text) : undefined
