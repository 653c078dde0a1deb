import type { LibraryCounts } from './send-library.ts'

/** How much an import has brought. */
export interface ImportCounts extends LibraryCounts {
  imported: number
  /** conversations that were here already, and got the messages that are newer at their source */
  extended: number
  existing: number
  messages: number
  files: number
}

/** The counts of an import that has brought nothing yet. */
export const noCounts: ImportCounts = {
  imported: 0,
  extended: 0,
  existing: 0,
  messages: 0,
  files: 0,
  projects: 0,
  prompts: 0,
  memories: 0,
  hasInstructions: false,
}
