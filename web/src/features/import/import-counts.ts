import type { LibraryCounts } from './send-library.ts'

/** How much an import has brought. */
export interface ImportCounts extends LibraryCounts {
  /** conversations that this import has stored */
  imported: number
  /** conversations that were here already, and got the messages that are newer at their source */
  extended: number
  /** conversations that were here already, and stay as they are */
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
