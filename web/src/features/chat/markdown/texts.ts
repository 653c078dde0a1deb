// code-block
export const showCode = 'Show code'
export const preview = 'Preview'
export const wrapLines = 'Wrap lines'
export const copyCode = 'Copy code'
export const notDrawn = 'This diagram could not be drawn. Its code:'

// copyable-table
export const table = 'Table'
export const csv = 'CSV'
export const copyCsv = 'Copy table as CSV'
export const csvCopied = 'Copied as CSV'
export const markdown = 'Markdown'
export const copyMarkdown = 'Copy table as Markdown'
export const markdownCopied = 'Copied as Markdown'

// diagram
export const diagram = 'Diagram'

// katex-formula
export const formula = 'Formula'

// markdown-block
export const tooComplex = 'Shown as plain text, because it is too long or too deeply nested to be formatted:'

// markdown-elements
export const done = 'Done'
export const toDo = 'To do'

// highlight
export const code = 'Code'
