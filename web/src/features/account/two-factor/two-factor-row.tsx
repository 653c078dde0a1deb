import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldPlus } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode, useRef } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { getProviderLabel } from '../../../lib/config.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import { useTwoFactorChange } from './use-two-factor-change.ts'
import * as accountTexts from '../texts.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../../components/texts.ts'

const SetupWizard = lazyComponent(() => import('./setup-wizard.tsx'), 'SetupWizard')
const FactorChangeDialog = lazyComponent(() => import('./factor-change-dialog.tsx'), 'FactorChangeDialog')
const BackupCodesDialog = lazyComponent(() => import('./backup-codes.tsx'), 'BackupCodesDialog')

/** The same id for both messages, so that the second replaces the first. */
const enabledToastId = 'two-factor'
const lowCodesThreshold = 3

const confirmations = {
  disable: {
    title: texts.disableTitle,
    consequence: texts.disableHint,
    action: texts.disable,
    isDestructive: true,
  },
  regenerate: {
    title: texts.newCodesTitle,
    consequence: texts.newCodesHint,
    action: texts.makeNewCodes,
    isDestructive: false,
  },
} as const

/**
 * The two-factor settings: status, turning it on and off, new backup codes.
 * @param provider name of the identity provider with which the user signs in
 */
export function TwoFactorRow({ provider = 'Google' }: { provider?: string | undefined }) {
  const queryClient = useQueryClient()
  const { data, isPending, isError, isFetching, errorUpdatedAt, refetch } = useQuery(twoFactorQuery)
  const [isSettingUp, setIsSettingUp] = useState(false)
  const change = useTwoFactorChange()
  const reload = () => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey })

  useEffect(() => {
    if (isError) showToast('error', commonTexts.error, { description: texts.statusFailed })
  }, [isError, errorUpdatedAt])

  const finish = () => {
    setIsSettingUp(false)
    showToast('success', texts.enabled, { id: enabledToastId })
  }
  const confirmation = change.requested && confirmations[change.requested]
  const row = useRestoredFocus(data?.enabled, isSettingUp || confirmation !== undefined)
  return (
    <div ref={row}>
      {isPending ? (
        <Row title={texts.twoFactor} text={<Skeleton className="mt-1 h-4 w-64 max-w-full" />} />
      ) : data === undefined ? (
        <Row title={texts.twoFactor} text={texts.statusNotLoaded}>
          <Button busy={isFetching} onClick={() => void refetch()}>
            {texts.tryAgain}
          </Button>
        </Row>
      ) : data.federated ? (
        <Row title={texts.twoFactor} text={accountTexts.providerFactorHint(getProviderLabel(provider))} />
      ) : data.enabled ? (
        <Row
          title={texts.twoFactor}
          text={
            <>
              {texts.isProtected}
              <CodesLeft count={data.backupCodesLeft} />
            </>
          }
        >
          <Button
            busy={change.running === 'regenerate'}
            disabled={change.running === 'disable'}
            onClick={() => change.request('regenerate')}
          >
            {texts.newBackupCodes}
          </Button>
          <Button
            variant="danger"
            busy={change.running === 'disable'}
            disabled={change.running === 'regenerate'}
            onClick={() => change.request('disable')}
          >
            {change.running === 'disable' ? texts.disabling : texts.disable}
          </Button>
        </Row>
      ) : (
        <Row title={texts.twoFactor} badge={texts.recommended} text={texts.enableHint}>
          <Button onClick={() => setIsSettingUp(true)}>
            <ShieldPlus aria-hidden size={16} />
            {texts.enable}
          </Button>
        </Row>
      )}
      <Suspense>
        {isSettingUp && (
          <SetupWizard
            open
            onCancel={() => setIsSettingUp(false)}
            onEnabled={() => {
              showToast('success', texts.enabledNow, { id: enabledToastId })
              void reload()
            }}
            onDone={finish}
          />
        )}
        {confirmation && (
          <FactorChangeDialog
            {...confirmation}
            busy={change.running !== undefined}
            needsCode={change.needsCode}
            codeError={change.codeError}
            onConfirm={change.confirm}
            onCancel={change.cancel}
          />
        )}
        {change.newCodes && <BackupCodesDialog codes={change.newCodes} onDone={change.closeCodes} />}
      </Suspense>
    </div>
  )
}

function CodesLeft({ count }: { count: number }) {
  if (count > lowCodesThreshold) return <span className="block">{accountTexts.codesLeft(count)}</span>
  return (
    <span className="block text-warning-ink">
      {count === 0 ? accountTexts.noCodesLeft : accountTexts.fewCodesLeft(count)}
    </span>
  )
}

/** A row of the security card. */
function Row({
  title,
  badge,
  text,
  children,
}: {
  title: string
  badge?: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="flex items-center justify-between gap-x-8 gap-y-3 max-sm:flex-col max-sm:items-stretch">
      <div className="min-w-0">
        <h3 className="flex items-center gap-2 font-medium">
          {title}
          {badge !== undefined && (
            <span className="rounded-[6px] bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent-ink">
              {badge}
            </span>
          )}
        </h3>
        <div className="text-ink-muted">{text}</div>
      </div>
      {children !== undefined && (
        <div className="flex shrink-0 gap-2 max-sm:flex-wrap max-sm:*:flex-1">{children}</div>
      )}
    </div>
  )
}

/**
 * Keeps keyboard focus in the row when the button that was pressed disappears with the change.
 * @param isEnabled whether two-factor is on; undefined until it is known
 * @param isDialogOpen whether a dialog has the focus
 * @returns the row's ref
 */
export function useRestoredFocus(isEnabled: boolean | undefined, isDialogOpen: boolean) {
  const row = useRef<HTMLDivElement>(null)
  const wasEnabled = useRef(isEnabled)
  useEffect(() => {
    if (isDialogOpen) return
    const isLost = document.activeElement === document.body
    if (wasEnabled.current !== undefined && wasEnabled.current !== isEnabled && isLost)
      row.current?.querySelector('button')?.focus()
    wasEnabled.current = isEnabled
  }, [isEnabled, isDialogOpen])
  return row
}
