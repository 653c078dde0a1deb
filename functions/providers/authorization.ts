import type { BuiltInProvider } from './built-in.ts'

type Credentials = Readonly<Record<string, string>>

/** @returns a function that fills the placeholders of a template with encoded values */
export const fillWith = (values: Credentials, encode: (value: string) => string) => (template: string) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name]?.trim() ?? ''))

/** Removes characters that could end the header or a quoted part of it. */
const toHeaderSafe = (value: string) => value.replace(/[^\x21-\x7e]|["\\]/g, '')

/** Builds a provider's authentication headers; none if it has no API key. */
export function buildHeaders({ apiKey }: BuiltInProvider, credentials: Credentials): Record<string, string> {
  if (!apiKey) return {}
  const { authorization: template, headers } = apiKey.testCall
  // a key as it is copied from an example request: the header's name and the scheme come before it
  const [scheme = ''] = template.split(' ')
  const remove = (value: string, start: string) =>
    value.toLowerCase().startsWith(start.toLowerCase()) ? value.slice(start.length).trimStart() : value
  const fill = fillWith(credentials, (value) =>
    toHeaderSafe(remove(remove(value, 'authorization:'), `${scheme} `)),
  )
  const basic = /^Basic base64\((.*)\)$/.exec(template)?.[1]
  const authorization =
    basic === undefined ? fill(template) : `Basic ${Buffer.from(fill(basic)).toString('base64')}`
  return { ...headers, authorization }
}
