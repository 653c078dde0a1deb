import { useRef, useState } from 'react'
import type { AppDecision, AppQuestion } from './app-question-card.tsx'

interface PendingQuestion {
  question: AppQuestion
  resolve: (decision: AppDecision) => void
}

/**
 * The questions of an app, one at a time.
 * @param onAsk called before a question is shown
 * @returns `ask` resolves to undefined while another question waits, or if the app withdraws its own; `pending` is the one that is shown
 */
export function useAppQuestions(onAsk: (question: AppQuestion) => void) {
  const [pending, setPending] = useState<PendingQuestion>()
  /** as `pending`, for requests that come before the page has rendered again */
  const current = useRef<PendingQuestion>(undefined)
  const show = (question: PendingQuestion | undefined) => {
    current.current = question
    setPending(question)
  }
  const ask = async (question: AppQuestion, signal: AbortSignal): Promise<AppDecision | undefined> => {
    if (current.current || signal.aborted) return undefined
    onAsk(question)
    try {
      return await new Promise<AppDecision | undefined>((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true })
        show({ question, resolve })
      })
    } finally {
      show(undefined)
    }
  }
  return { pending, ask }
}
