import * as z from 'zod'
import { domainPattern } from './domain-pattern.ts'

/** Who may make an account by themselves; `/config.json` tells the page no more than this. */
export type SignUpMode = 'open' | 'closed' | 'domains'

export interface SignUpPolicy {
  readonly mode: SignUpMode
  /** lower case and ASCII; empty unless the mode is `domains` */
  readonly domains: readonly string[]
}

export const openSignUp: SignUpPolicy = { mode: 'open', domains: [] }
export const closedSignUp: SignUpPolicy = { mode: 'closed', domains: [] }

// all environment variables of a function together have 4 KB
const maxListCharacters = 1_000

const policyWords = z.union(
  [z.string().transform((list) => list.split(',')), z.array(z.string())],
  'must be open, closed, or e-mail domains with commas between them',
)

/**
 * `open`, `closed`, or e-mail domains separated by commas; also as a list, which cdk.json may contain. A domain does not include its
 * subdomains.
 */
export const signUpPolicy = policyWords.transform((list, check): SignUpPolicy => {
  const words = list.map((word) => word.trim()).filter((word) => word !== '')
  const refuse = (message: string) => {
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (words.length === 1 && words[0]?.toLowerCase() === 'open') return openSignUp
  if (words.length === 1 && words[0]?.toLowerCase() === 'closed') return closedSignUp
  const wrong = words.find((word) => asciiDomain(word) === undefined)
  if (words.length === 0 || wrong !== undefined)
    return refuse(
      'must be open, closed, or e-mail domains with commas between them, such as example.org' +
        (wrong === undefined ? '' : ` ("${wrong}" is not)`),
    )
  const domains = [...new Set(words.flatMap((word) => asciiDomain(word) ?? []))]
  if (domains.join().length > maxListCharacters)
    return refuse(`must not be longer than ${maxListCharacters.toLocaleString('en')} characters`)
  return { mode: 'domains', domains }
})

/** The policy as `signUpPolicy` reads it, for the environment of a function. */
export const formatSignUpPolicy = ({ mode, domains }: SignUpPolicy): string =>
  mode === 'domains' ? domains.join() : mode

/** Converts a domain to its ASCII form (Punycode). */
function asciiDomain(word: string): string | undefined {
  // anything else, such as a path or a port, would be taken for a part of the URL
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(word)) return undefined
  const { data: url = '' } = z.url({ normalize: true }).safeParse(`http://${word}`)
  const domain = url.slice('http://'.length, -'/'.length)
  return domainPattern.test(domain) ? domain : undefined
}

/**
 * The local part: less than RFC 5322 allows. Mail programs disagree about what is quoted, encoded (`=?…?=`), or routed
 * (`%`, `!`), and some send to another domain than the one at the end
 * (https://portswigger.net/research/splitting-the-email-atom).
 */
const plainAddress = /^[A-Za-z0-9._+'&~-]{1,64}@([A-Za-z0-9.-]{1,255})$/

/**
 * Whether a list of domains admits an address: its domain is one of them and no subdomain, and every program that handles mail reads it
 * the same way. No list admits an address with letters beyond ASCII, because folding case would make some of them equal to others.
 */
export function isAtDomain(address: string, domains: readonly string[]): boolean {
  const [, domain] = plainAddress.exec(address) ?? []
  return domain !== undefined && domains.includes(domain.toLowerCase())
}
