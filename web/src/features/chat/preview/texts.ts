import { t } from '@lingui/core/macro'
import { formatConjunction } from '../../../lib/locale.ts'

// preview-panel
export const preview = t`Preview`
export const close = t`Close preview`
export const copyCode = t`Copy code`
export const download = t`Download`
export const earlierVersion = t`Earlier version`
export const laterVersion = t`Later version`
export const version = (number: number, count: number) => t`Version ${number} of ${count}`
export const isWritten = t`A version is being written…`
export const kinds = {
  html: 'HTML',
  svg: 'SVG',
  mermaid: 'Mermaid',
  'vega-lite': 'Vega-Lite',
  csv: 'CSV',
  markdown: 'Markdown',
}

// preview-content
export const table = t`Table`
export const tableCut = t`Only the first 1,000 rows and 100 columns are shown. The download has all of them.`
export const unknownKind = t`This version cannot show a preview of this kind.`
export const noRows = t`This table is empty.`

export const wantsFiles = (hosts: readonly string[]) => {
  const names = formatConjunction(hosts)
  return t`This page wants files from ${names}; previews have no network.`
}
export const lacksFiles = (fileNames: readonly string[]) => {
  const names = formatConjunction(fileNames)
  return t`This page wants files that the preview does not have: ${names}.`
}
export const leadsNowhere = t`Links to other pages and downloads do nothing in a preview.`
export const mayRun = t`This version does not run by itself: the assistant may have read text of others for it.`
export const run = t`Run`

// preview-frame
export const use = t`Use preview`
export const stopped = t`The preview was stopped: it did not respond.`
export const stoppedTakeover = t`The preview was stopped: it took the keyboard while you were elsewhere on this page.`
export const startAgain = t`Start again`
