import type { BuiltInProvider } from './built-in.ts'

type Credentials = Readonly<Record<string, string>>

/** Puts typed values where a template names them. */
export const fillWith = (credentials: Credentials, encode: (value: string) => string) => (template: string) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encode(credentials[name]?.trim() ?? ''))

/** What no header may hold is left out, so that a value can end neither the header nor a quoted part of it. */
const headerSafe = (value: string) => value.replace(/[^\x21-\x7e]|["\\]/g, '')

/** The headers by which typed values travel to a provider; none where it takes none. */
export function buildHeaders({ apiKey }: BuiltInProvider, credentials: Credentials): Record<string, string> {
  if (!apiKey) return {}
  const { authorization: template, headers } = apiKey.testCall
  const fill = fillWith(credentials, headerSafe)
  const basic = /^Basic base64\((.*)\)$/.exec(template)?.[1]
  const authorization =
    basic === undefined ? fill(template) : `Basic ${Buffer.from(fill(basic)).toString('base64')}`
  return { ...headers, authorization }
}
