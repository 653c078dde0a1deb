import { t } from '@lingui/core/macro'
import { MessageCircleQuestion, ExternalLink } from 'lucide-react'
import { Fragment, useId, useState, useEffect, useRef, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ElicitationField, FieldValue, FormContent } from '#shared/contracts/elicitation.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { formatList } from '../../../lib/text/locale.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ElicitationForm } from './elicitation-form.tsx'
import {
  toContent,
  findProblems,
  getInitialValues,
  type PageRequest,
  type AllValues,
  type FormRequest,
  type FormValues,
} from './elicitation-values.ts'
import { useCardInput } from './card-input.ts'

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

/** A web page that a server asks the user to open. Its host is shown prominently, because it tells whose page it is. */
function ElicitationPage({ request, onOpen }: { request: PageRequest; onOpen: () => void }) {
  const { url, host } = request
  const hasOtherAlphabet = host.split('.').some((label) => label.startsWith('xn--'))
  return (
    <div className="grid gap-3 rounded-md bg-surface-hover px-3.5 py-3">
      <div>
        <p className="text-sm text-ink-muted">{t`This page opens in a new tab:`}</p>
        <p className="font-semibold wrap-anywhere">
          <bdi>{host}</bdi>
        </p>
        <p className="text-sm text-ink-muted wrap-anywhere">
          <bdi>{url}</bdi>
        </p>
      </div>
      {hasOtherAlphabet && (
        <Callout variant="warning">{t`The name of this site is written in another alphabet. It may imitate a site that you know.`}</Callout>
      )}
      <p className="text-sm text-ink-muted">{t`Sign in or pay there only if you know this site.`}</p>
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()} onClick={onOpen}>
        <ExternalLink aria-hidden size={16} />
        <span className="truncate">{t`Open ${host}`}</span>
      </a>
    </div>
  )
}

/** Shows exactly what is sent, and to whom. It takes the focus, so that screen readers read it. */
function ElicitationReview({
  server,
  forms,
  values,
}: {
  server: string
  forms: readonly FormRequest[]
  values: AllValues
}) {
  const id = useId()
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => region.current?.focus(), [])
  const rows = forms.flatMap((request) => {
    const content = new Map(Object.entries(toContent(request, values[request.key] ?? {})))
    return request.fields.map((field) => ({ key: request.key, field, value: content.get(field.name) }))
  })
  return (
    <div ref={region} tabIndex={-1} role="group" aria-labelledby={id} className="grid gap-2 outline-offset-4">
      <p id={id}>{t`This is sent to ${server}:`}</p>
      {rows.length === 0 && <p className="text-ink-muted">{t`Nothing`}</p>}
      <dl className="grid gap-2 rounded-md bg-surface-hover px-3.5 py-3 empty:hidden">
        {rows.map(({ key, field, value }) => (
          <div key={`${key} ${field.name}`}>
            <dt className="text-sm text-ink-muted">{field.label}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">
              {value === undefined ? (
                <span className="text-ink-faint">{t`Left empty`}</span>
              ) : (
                formatSentValue(field, value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Formats a value as it is sent; an option as its label, with its value if that differs. */
function formatSentValue({ options = [] }: ElicitationField, value: FieldValue): string {
  const formatOption = (chosen: string) => {
    const label = options.find((option) => option.value === chosen)?.label ?? chosen
    return revealHiddenCharacters(label === chosen ? chosen : `${label} (${chosen})`)
  }
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'object') return formatList(value.map(formatOption)) || t`Nothing`
  return typeof value === 'number' ? String(value) : formatOption(value)
}

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
