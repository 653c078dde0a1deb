// preview-panel
export const preview = 'Preview'
export const close = 'Close preview'
export const copyCode = 'Copy code'
export const download = 'Download'
export const earlierVersion = 'Earlier version'
export const laterVersion = 'Later version'
export const version = (number: number, count: number) => `Version ${number} of ${count}`
export const isWritten = 'A version is being written…'
export const kinds = {
  html: 'HTML',
  svg: 'SVG',
  mermaid: 'Mermaid',
  csv: 'CSV',
  markdown: 'Markdown',
}

// preview-content
export const notDrawn = 'This diagram could not be drawn.'
export const table = 'Table'
export const tableCut = 'Only the first 1,000 rows and 100 columns are shown. The download has all of them.'
export const noRows = 'This table is empty.'

// preview-frame
export const use = 'Use preview'
export const stopped = 'The preview was stopped: it did not respond.'
export const stoppedTakeover =
  'The preview was stopped: it took the keyboard while you were elsewhere on this page.'
export const startAgain = 'Start again'
