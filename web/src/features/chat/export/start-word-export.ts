import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import * as texts from './word-texts.ts'

const progressId = 'word-export'
/** A long conversation with pictures takes some seconds. */
const maxProgressMs = 120_000

/** Loads what writes Word documents, and shows that one is written, or that it failed. */
export async function startWordExport(
  write: (module: typeof import('./export-word.ts')) => Promise<void>,
): Promise<void> {
  showToast('info', texts.writing, { id: progressId, durationMs: maxProgressMs })
  try {
    await write(await import('./export-word.ts'))
    dismissToast(progressId)
  } catch {
    dismissToast(progressId)
    showToast('error', texts.wordFailed, { description: texts.wordFailedHint })
  }
}
