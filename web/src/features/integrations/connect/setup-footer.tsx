import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Button } from '../../../components/ui/button.tsx'
import { environmentLabels, type CatalogueCard } from '../state/catalogue-cards.ts'
import { useConnectionActivity } from './connection-activity.ts'

interface ConnectButtonProps {
  card: CatalogueCard
  formId: string
  /** whether all required fields are filled in */
  isComplete: boolean
}

/** The buttons of the setup dialog. @param props.onNext shows the next step, on a phone; undefined at the last one */
export function SetupFooter({
  usesOAuth,
  onNext,
  ...connectButton
}: ConnectButtonProps & { usesOAuth: boolean; onNext: (() => void) | undefined }) {
  const hiddenOnPhone = onNext && 'max-sm:hidden'
  return (
    <>
      {usesOAuth && (
        <p className={clsx('me-auto text-sm text-ink-muted max-sm:min-w-full', hiddenOnPhone)}>
          {t`You'll be redirected to complete authentication`}
        </p>
      )}
      {onNext && (
        <Button variant="soft" className="sm:hidden" onClick={onNext}>
          {t`Next`}
        </Button>
      )}
      <ConnectButton {...connectButton} className={hiddenOnPhone} />
    </>
  )
}

function ConnectButton({
  card: { id, entry, environment },
  formId,
  isComplete,
  className,
}: ConnectButtonProps & { className: string | undefined }) {
  const activity = useConnectionActivity()(id)
  const environmentLabel = environmentLabels[environment]
  return (
    <Button
      type="submit"
      form={formId}
      variant="primary"
      disabled={activity !== undefined}
      // a click reports the missing field
      aria-disabled={!isComplete}
      className={clsx('min-w-0 max-sm:shrink', className)}
    >
      <span className="truncate">
        {activity === 'connecting'
          ? t`Connecting to ${{ environment: environmentLabel }}...`
          : t`Connect to ${entry.name} ${{ environment: environmentLabel }}`}
      </span>
    </Button>
  )
}
