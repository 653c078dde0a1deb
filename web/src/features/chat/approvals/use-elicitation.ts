import { useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import type { FormContent } from '#shared/contracts/elicitation.ts'
import { useCardInput } from './card-input.ts'
import type { ApprovalCardProps } from './card-frame.tsx'
import {
  findProblems,
  getInitialValues,
  toContent,
  type FormRequest,
  type FormValues,
} from './elicitation-values.ts'

/** Error messages by the key of the request and the name of the field. */
type Problems = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The problems of the last review that are not solved yet. New problems are shown by the next review only, not while the user types. */
function findRemainingProblems(
  request: FormRequest,
  values: FormValues,
  reviewProblems: Problems[string] = {},
) {
  const current = Object.entries(findProblems(request, values))
  return Object.fromEntries(current.filter(([name]) => Object.hasOwn(reviewProblems, name)))
}

/**
 * The requests of a call, what the user has entered for them, and the decision: they enter, review, and send or refuse.
 * @returns `form` is the ref of the element around the fields, whose focus this moves
 */
export function useElicitation({ conversation, approval, onDecide }: ApprovalCardProps) {
  const { elicitations = [] } = approval
  // forms first, so that no link stands between the fields of two forms
  const requests = elicitations.toSorted((a, b) => Number(a.mode === 'url') - Number(b.mode === 'url'))
  const forms = requests.filter((request) => request.mode === 'form')
  // stored with the values, so that a card that is mounted anew shows the review again
  const input = useCardInput(conversation, approval, {
    values: getInitialValues(requests),
    isReviewing: false,
  })
  const { values } = input.value
  const [problems, setProblems] = useState<Problems>({})
  const form = useRef<HTMLFormElement>(null)

  const focusFirst = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus()

  const review = (event: FormEvent) => {
    event.preventDefault()
    const newProblems: Problems = Object.fromEntries(
      forms.map((request) => [request.key, findProblems(request, values[request.key] ?? {})]),
    )
    // at once, because the fields that are marked get the focus
    flushSync(() => setProblems(newProblems))
    const isValid = Object.values(newProblems).every((formProblems) => Object.keys(formProblems).length === 0)
    if (isValid) input.change({ values, isReviewing: true })
    else focusFirst('[aria-invalid]')
  }
  /** The Back button disappears with the review, so the focus moves to the first field. */
  const goBack = () => {
    flushSync(() => input.change({ values, isReviewing: false }))
    focusFirst('input, select, textarea')
  }
  const accept = () => {
    const content = Object.fromEntries<FormContent>(
      forms.map((request) => [request.key, toContent(request, values[request.key] ?? {})]),
    )
    onDecide({ approved: true, elicitation: { action: 'accept', ...(forms.length > 0 && { content }) } })
  }
  return {
    requests,
    forms,
    input,
    form,
    findProblems: (request: FormRequest) =>
      findRemainingProblems(request, values[request.key] ?? {}, problems[request.key]),
    review,
    goBack,
    accept,
    refuse: (action: 'decline' | 'cancel') => onDecide({ approved: false, elicitation: { action } }),
  }
}
