import { t } from '@lingui/core/macro'

// code-block
export const showCode = t`Show code`
export const preview = t`Preview`
export const wrapLines = t`Wrap lines`
export const copyCode = t`Copy code`

// copyable-table
export const table = t`Table`
export const csv = t`CSV`
export const copyCsv = t`Copy table as CSV`
export const csvCopied = t`Copied as CSV`
export const markdown = t`Markdown`
export const copyMarkdown = t`Copy table as Markdown`
export const markdownCopied = t`Copied as Markdown`

// diagram
export const diagram = t`Diagram`

// diagram-problem
export const notDrawn = t`This diagram could not be drawn.`
export const unknownDiagram = t`Its first line names no kind of diagram.`
export const wrongLine = (line: number) => t`Line ${line} cannot be read:`
export const unexpected = (line: number, found: string) => t`In line ${line}, “${found}” is not expected:`

// katex-formula
export const formula = t`Formula`

// markdown-block
export const tooComplex = t`Shown as plain text, because it is too long or too deeply nested to be formatted:`

// markdown-elements
export const done = t`Done`
export const toDo = t`To do`

// highlight
export const code = t`Code`
