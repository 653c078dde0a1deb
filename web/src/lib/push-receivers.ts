import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The browsers that get the user's notifications, newest first. */
export const pushReceiversQuery = queryOptions({
  queryKey: ['push-receivers'],
  queryFn: async ({ signal }) => (await callApi('push.key', {}, { signal })).receivers,
})

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['Windows', /\bWindows\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** What a browser called itself, which anybody may write, as `Firefox, Windows`; empty if it says nothing known. */
export const describeUserAgent = (userAgent: string): string =>
  [browsers, systems]
    .flatMap((known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
    .join(', ')
