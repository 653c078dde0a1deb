// code-block
export const showCode = 'Show code'
export const wrapLines = 'Wrap lines'
export const copyCode = 'Copy code'
export const notDrawn = 'This diagram could not be drawn. Its code:'

// copyable-table
export const table = 'Table'
export const tableCopied = (format: string) => `Copied as ${format}`
export const copyTable = (format: string) => `Copy table as ${format}`

// diagram
export const diagram = 'Diagram'

// katex-formula
export const formula = 'Formula'

// markdown-elements
export const done = 'Done'
export const toDo = 'To do'

// highlight
export const code = 'Code'
