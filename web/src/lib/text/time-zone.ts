import { getOwn } from '#shared/get-own.ts'

/** Zones that browsers still name as the IANA database did before it renamed them. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/**
 * An IANA name for readers, the one of today: `America/New York`. It says more than the names that browsers have: 'Eastern Time' is that of
 * some cities in winter only.
 */
export const formatTimeZone = (timeZone: string): string =>
  (getOwn(renamed, timeZone) ?? timeZone).replaceAll('_', ' ')

/** IANA name of the zone of this browser, which may change while the page is open. */
export const findReadersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether a zone is the reader's, which may have several names. */
export function isReadersZone(timeZone: string): boolean {
  if (timeZone === findReadersZone()) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === findReadersZone()
  } catch {
    // a newer zone than this browser knows
    return false
  }
}
