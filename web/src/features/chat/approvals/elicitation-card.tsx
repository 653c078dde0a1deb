import { t } from '@lingui/core/macro'
import { MessageCircleQuestion } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ElicitationForm } from './elicitation-form.tsx'
import { ElicitationPage } from './elicitation-page.tsx'
import { ElicitationReview } from './elicitation-review.tsx'
import { useElicitation } from './use-elicitation.ts'

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
