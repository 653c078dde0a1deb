import { t } from '@lingui/core/macro'
import { MessageCircleQuestion } from 'lucide-react'
import { Fragment, useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../components/ui/button.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ElicitationForm } from './elicitation-form.tsx'
import { ElicitationPage } from './elicitation-page.tsx'
import { ElicitationReview } from './elicitation-review.tsx'
import {
  findProblems,
  getInitialValues,
  toContent,
  type FormRequest,
  type FormValues,
} from './elicitation-values.ts'
import { useCardInput } from './card-input.ts'

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

/** What the server of a call asks the user for (MCP elicitation): forms, which the user reviews before they are sent, and web pages to open. */
export function ElicitationCard(props: ApprovalCardProps) {
  const { approval, error, isFirst, pendingDecision } = props
  const { requests, forms, input, form, ...elicitation } = useElicitation(props)
  const { values, isReviewing } = input.value
  const [hasOpened, setHasOpened] = useState(false)
  const formId = useId()
  const server = revealHiddenCharacters(
    [approval.integration ?? approval.tool, approval.namespace]
      .filter((part) => part !== undefined)
      .join(' · '),
  )
  const isDeciding = pendingDecision !== undefined

  const refuseButtons = (
    <>
      <Button disabled={isDeciding} onClick={() => elicitation.refuse('decline')}>
        {t`Decline`}
      </Button>
      <Button variant="ghost" disabled={isDeciding} onClick={() => elicitation.refuse('cancel')}>
        {t`Cancel`}
      </Button>
    </>
  )
  const sendProps = { pendingDecision, onClick: elicitation.accept }
  return (
    <CardFrame
      icon={MessageCircleQuestion}
      title={t`${server} asks you for something`}
      description={t`To continue “${revealHiddenCharacters(approval.title)}”.`}
      error={error}
      isFirst={isFirst}
      buttons={
        isReviewing ? (
          // a key, so that React does not turn the pressed button into another one
          <Fragment key="review">
            <SendButton {...sendProps} variant="primary" label={t`Send`} />
            <Button disabled={isDeciding} onClick={elicitation.goBack}>
              {t`Back`}
            </Button>
          </Fragment>
        ) : (
          <>
            {forms.length > 0 ? (
              <Button variant="primary" type="submit" form={formId} disabled={isDeciding}>
                {t`Review`}
              </Button>
            ) : (
              <SendButton
                {...sendProps}
                variant={hasOpened ? 'primary' : 'outline'}
                label={t`I have done it`}
              />
            )}
            {refuseButtons}
          </>
        )
      }
    >
      {isReviewing ? (
        <ElicitationReview server={server} forms={forms} values={values} />
      ) : (
        <form
          ref={form}
          id={formId}
          noValidate
          className="grid grid-cols-1 gap-4"
          onSubmit={elicitation.review}
        >
          {requests.map((request) => (
            <div key={request.key} className="grid grid-cols-1 gap-4">
              {request.message !== '' && <ServerMessage server={server} text={request.message} />}
              {request.mode === 'form' ? (
                <ElicitationForm
                  request={request}
                  input={input}
                  problems={elicitation.findProblems(request)}
                  disabled={isDeciding}
                />
              ) : (
                <ElicitationPage request={request} onOpen={() => setHasOpened(true)} />
              )}
            </div>
          ))}
          {forms.length > 0 && (
            <p className="text-sm text-ink-muted">{t`What you enter goes to ${server}. Never enter passwords, keys or card numbers here.`}</p>
          )}
        </form>
      )}
    </CardFrame>
  )
}

/**
 * The requests of a call, what the user has entered for them, and the decision: they enter, review, and send or refuse.
 * @returns `form` is the ref of the element around the fields, whose focus this moves
 */
function useElicitation({ conversation, approval, onDecide }: ApprovalCardProps) {
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

  // focuses the first invalid field
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])

  const review = (event: FormEvent) => {
    event.preventDefault()
    const problemsByKey = forms.map((request) => [
      request.key,
      findProblems(request, values[request.key] ?? {}),
    ])
    const newProblems = Object.fromEntries(problemsByKey) as Problems
    setProblems(newProblems)
    if (Object.values(newProblems).every((formProblems) => Object.keys(formProblems).length === 0))
      input.change({ values, isReviewing: true })
  }
  /** The Back button disappears with the review, so the focus moves to the first field. */
  const goBack = () => {
    flushSync(() => input.change({ values, isReviewing: false }))
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }
  const accept = () => {
    const content = forms.map((request) => [request.key, toContent(request, values[request.key] ?? {})])
    onDecide({
      approved: true,
      elicitation: {
        action: 'accept',
        ...(forms.length > 0 && { content: Object.fromEntries(content) as Record<string, never> }),
      },
    })
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

function ServerMessage({ server, text }: { server: string; text: string }) {
  return (
    <div>
      <p className="text-sm text-ink-muted">{t`${server} says:`}</p>
      <p className="whitespace-pre-wrap wrap-anywhere">
        <bdi>{revealHiddenCharacters(text)}</bdi>
      </p>
    </div>
  )
}

/** The button that accepts the requests, busy while that is being sent. */
function SendButton({
  label,
  variant,
  pendingDecision,
  onClick,
}: Pick<ApprovalCardProps, 'pendingDecision'> & {
  label: string
  variant: 'primary' | 'outline'
  onClick: () => void
}) {
  return (
    <Button
      variant={variant}
      busy={pendingDecision === 'approved'}
      disabled={pendingDecision !== undefined && pendingDecision !== 'approved'}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
