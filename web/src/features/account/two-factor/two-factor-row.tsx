import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldPlus } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode, useRef } from 'react'
import { deferred } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import { useFactorChange } from './use-factor-change.ts'

const { Deferred: SetupWizard } = deferred(() =>
  import('./setup-wizard.tsx').then((module) => module.SetupWizard),
)
const { Deferred: FactorChangeDialog } = deferred(() =>
  import('./factor-change-dialog.tsx').then((module) => module.FactorChangeDialog),
)
const { Deferred: CodesDialog } = deferred(() =>
  import('./backup-codes.tsx').then((module) => module.CodesDialog),
)

/** one toast in two words: the second takes the place of the first (DEC-025) */
const toastId = 'two-factor'
const fewCodes = 3

const questions = {
  disable: {
    title: 'Disable two-factor authentication?',
    consequence: 'From then on your password alone signs you in. Your backup codes stop working.',
    action: 'Disable',
    dangerous: true,
  },
  regenerate: {
    title: 'Make new backup codes?',
    consequence: 'The codes you have now stop working at once. The new ones are shown only once.',
    action: 'Make new codes',
    dangerous: false,
  },
} as const

/** Two-factor in the settings: how it stands, on and off, new backup codes (MFA-30 to MFA-36). Needs a query client around it. */
export function TwoFactorRow() {
  const queryClient = useQueryClient()
  const { data, isPending, isError, isFetching, errorUpdatedAt, refetch } = useQuery(twoFactorQuery)
  const [settingUp, setSettingUp] = useState(false)
  const change = useFactorChange()
  const again = () => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey })

  useEffect(() => {
    if (isError) showToast('error', 'Error', { description: 'Failed to check 2FA status' })
  }, [isError, errorUpdatedAt])

  const finish = () => {
    setSettingUp(false)
    showToast('success', '2FA Enabled', { id: toastId })
  }
  const question = change.asking && questions[change.asking]
  const row = useKeptFocus(data?.enabled, settingUp || question !== undefined)
  return (
    <div ref={row}>
      {isPending ? (
        <Row title="Two-Factor Authentication" text={<Skeleton className="mt-1 h-4 w-64 max-w-full" />} />
      ) : data === undefined ? (
        <Row title="Two-Factor Authentication" text="Its status could not be read.">
          <Button busy={isFetching} onClick={() => void refetch()}>
            Try Again
          </Button>
        </Row>
      ) : data.federated ? (
        <Row
          title="Two-Factor Authentication"
          text="You sign in with Google, so your second step is set in your Google account."
        />
      ) : data.enabled ? (
        <Row
          title="Two-Factor Authentication"
          text={
            <>
              Your account is protected with 2FA
              <CodesLeft count={data.backupCodesLeft} />
            </>
          }
        >
          <Button
            busy={change.running === 'regenerate'}
            disabled={change.running === 'disable'}
            onClick={() => change.ask('regenerate')}
          >
            New backup codes
          </Button>
          <Button
            tone="danger"
            busy={change.running === 'disable'}
            disabled={change.running === 'regenerate'}
            onClick={() => change.ask('disable')}
          >
            {change.running === 'disable' ? 'Disabling...' : 'Disable'}
          </Button>
        </Row>
      ) : (
        <Row
          title="Two-Factor Authentication"
          badge="Recommended"
          text="Add an extra layer of security to your account"
        >
          <Button onClick={() => setSettingUp(true)}>
            <ShieldPlus aria-hidden size={16} />
            Enable 2FA
          </Button>
        </Row>
      )}
      <Suspense>
        {settingUp && (
          <SetupWizard
            open
            onCancel={() => setSettingUp(false)}
            onEnabled={() => {
              showToast('success', '2FA Enabled Successfully!', { id: toastId })
              void again()
            }}
            onDone={finish}
          />
        )}
        {question && (
          <FactorChangeDialog
            {...question}
            busy={change.running !== undefined}
            needsProof={change.needsProof}
            refused={change.refused}
            onConfirm={change.confirm}
            onCancel={change.cancel}
          />
        )}
        {change.newCodes && <CodesDialog codes={change.newCodes} onDone={change.codesSeen} />}
      </Suspense>
    </div>
  )
}

function CodesLeft({ count }: { count: number }) {
  if (count > fewCodes) return <span className="block">{count} backup codes left</span>
  return (
    <span className="block text-warning-ink">
      {count === 0 ? 'No backup codes left' : `Only ${count} backup ${count === 1 ? 'code' : 'codes'} left`}:
      make new ones.
    </span>
  )
}

/** One line of the security card: what it is, how it stands, what one can do. */
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
      {children !== undefined && <div className="flex shrink-0 gap-2 max-sm:*:flex-1">{children}</div>}
    </div>
  )
}

/**
 * Whoever works by keyboard goes on in the same row, though the button that they pressed is gone with the change it made.
 * @param state what the row shows, undefined until that is known
 * @param waiting whether a dialog has the focus for now
 * @returns the row's ref
 */
export function useKeptFocus(state: boolean | undefined, waiting: boolean) {
  const row = useRef<HTMLDivElement>(null)
  const shown = useRef(state)
  useEffect(() => {
    if (waiting) return
    const isLost = document.activeElement === document.body
    if (shown.current !== undefined && shown.current !== state && isLost)
      row.current?.querySelector('button')?.focus()
    shown.current = state
  }, [state, waiting])
  return row
}
