import { runForParent } from './parent-process.ts'
import { postExtracted } from './post-extracted.ts'

// Runs in its own process, so that whatever a document does to its reader ends with the process.

await runForParent(postExtracted)
