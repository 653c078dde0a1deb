import { t } from '@lingui/core/macro'

export const title = t`Attach from Google Drive`
export const search = t`Search your Drive`
export const clearSearch = t`Clear search`
export const files = t`Files of your Drive`
export const loading = t`Loading your Drive`
export const notLoaded = t`Your Drive could not be loaded.`
export const noFiles = t`There is nothing here that can be attached.`
export const nothingFound = (query: string) => t`Nothing that can be attached was found for “${query}”.`
export const moreFiles = t`Only a part is shown. Search for others by their name or text.`
export const attach = (name: string) => t`Attach ${name}`
export const attachShort = t`Attach`
export const attached = t`Attached`
export const converted = t`converted when attached`
export const connect = t`Connect it under “Tools”`
