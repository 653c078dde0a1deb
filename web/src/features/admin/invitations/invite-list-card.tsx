import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { InvitationResult } from '#shared/contracts/admin.ts'
import { SettingsCard } from '../../../components/settings-card.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextAreaField } from '../../../components/ui/field.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useRecentSignIn } from '../../../lib/recent-sign-in.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { useInput } from '../../../lib/use-input.ts'
import { invitationsQuery } from '../admin-queries.ts'
import { GroupChoice } from '../group-choice.tsx'
import { formatAddresses, parseAddresses, type ListedAddress } from './parse-addresses.ts'

const maxAtOnce = 500
/** The service refuses the whole list if one person has more groups than that. */
const maxOwnGroups = 20
/** The service works for up to 22 seconds. */
const timeoutMs = 29_000
/** How many days the invitations are valid. */
const days = 7

type Line = InvitationResult & Pick<ListedAddress, 'line' | 'groups'>

/** Invites the addresses of a list or a CSV, and shows the result for each line. */
export function InviteListCard() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  const showToast = useUserToast()
  const file = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const list = useInput('invite-list')
  const [groups, setGroups] = useState<string[]>([])
  const addresses = parseAddresses(list.value)
  const count = addresses.length
  const { start, isBusy, error, data, reset } = useActionMutation('invite-list', {
    failureTitle: t`The list was not invited`,
    run: async (sent: { input: typeof list; addresses: readonly ListedAddress[]; groups: string[] }) => {
      const people = sent.addresses.map(({ email, groups: own }) => ({
        email,
        groups: own.slice(0, maxOwnGroups),
      }))
      const { results = [] } = await withRecentSignIn(() =>
        callApi('admin.invite', { body: { people, groups: sent.groups, days } }, { timeoutMs }),
      )
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return results.map((result, index): Line => {
        const { line = 0, groups: own = [] } = sent.addresses[index] ?? {}
        return { ...result, line, groups: own }
      })
    },
    onSuccess: (_lines, { input }) => input.markSaved(''),
  })
  return (
    <SettingsCard
      title={t`Invite many`}
      subtitle={t`One address in each line, or a CSV with the address in a column, and the groups in one named “Groups”. Up to 500 at once.`}
    >
      <form
        ref={form}
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (count > 0 && count <= maxAtOnce) start({ input: list, addresses, groups })
        }}
      >
        <TextAreaField
          label={t`Addresses`}
          input={list}
          rows={6}
          spellCheck={false}
          autoCapitalize="off"
          error={count > maxAtOnce ? describeTooMany(count) : undefined}
          hint={count > 0 ? describeCount(count, addresses) : undefined}
          onInput={() => {
            if (error || data) reset()
          }}
        />
        <div className="-ms-3 justify-self-start">
          <Button size="sm" variant="ghost" onClick={() => file.current?.click()}>
            <Upload aria-hidden size={16} />
            {t`Open a CSV`}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".csv,.txt,text/csv,text/plain"
            onChange={({ target }) => {
              const [opened] = target.files ?? []
              void opened?.text().then(
                (text) => list.change(text),
                // such as a file that was removed since it was chosen
                () => showToast('error', t`The file could not be opened`),
              )
              // the same file can be opened again
              target.value = ''
            }}
          />
        </div>
        <GroupChoice chosenGroups={groups} onChange={setGroups} />
        {error && <Callout variant="danger">{getErrorMessage(error)}</Callout>}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabled={count === 0 || count > maxAtOnce}
          className="justify-self-start max-sm:justify-self-stretch"
        >
          {count === 0 ? t`Invite` : formatInvite(count)}
        </Button>
      </form>
      {data && (
        <Results
          lines={data}
          onCorrect={(wrong) => {
            list.change(formatAddresses(wrong))
            reset()
            // the button that was pressed is gone, and the focus with it
            form.current?.querySelector('textarea')?.focus()
          }}
        />
      )}
    </SettingsCard>
  )
}

const describeTooMany = (count: number) =>
  plural(count, {
    one: `The list has # address. Up to 500 can be invited at once.`,
    other: `The list has # addresses. Up to 500 can be invited at once.`,
  })
const describeCount = (count: number, addresses: readonly ListedAddress[]) =>
  addresses.some(({ groups }) => groups.length > 0)
    ? plural(count, {
        one: '# address, with groups from the list',
        other: '# addresses, with groups from the list',
      })
    : plural(count, { one: '# address', other: '# addresses' })
const formatInvite = (count: number) => plural(count, { one: 'Invite # person', other: 'Invite # people' })
const formatCorrect = (count: number) =>
  plural(count, { one: 'Correct # and try again', other: 'Correct # and try again' })

const order = ['invalid', 'already', 'invited'] as const
const statusText = { invalid: t`Not invited`, already: t`Already here or invited`, invited: t`Invited` }
const statusVariant = { invalid: 'danger', already: 'quiet', invited: 'success' } as const

/** Takes the focus from the button that was pressed, which is disabled now. The results may be below the fold. */
function focusResult(heading: HTMLElement | null): void {
  if (document.activeElement?.matches(':disabled')) heading?.focus()
}

/** Each line with its result: those that failed first. */
function Results({
  lines,
  onCorrect,
}: {
  lines: readonly Line[]
  onCorrect: (wrong: readonly Line[]) => void
}) {
  const invited = lines.filter(({ status }) => status === 'invited').length
  const wrong = lines.filter(({ status }) => status === 'invalid')
  const sorted = lines.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <section aria-live="polite" className="mt-6 grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3
          ref={focusResult}
          tabIndex={-1}
          className="font-medium outline-none"
        >{t`${{ count: invited }} of ${{ all: lines.length }} invited`}</h3>
        {wrong.length > 0 && (
          <Button size="sm" variant="soft" onClick={() => onCorrect(wrong)}>
            {formatCorrect(wrong.length)}
          </Button>
        )}
      </div>
      <ol aria-label={t`Results`} className="max-h-96 divide-y divide-line overflow-y-auto scroll-quiet">
        {sorted.map((result, index) => (
          // a line may have several addresses, and a list the same address twice
          <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
            <span className="w-8 text-end text-ink-faint tabular-nums">{result.line}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">
              <bdi>{result.email}</bdi>
            </span>
            <Badge variant={statusVariant[result.status]}>{statusText[result.status]}</Badge>
            {result.error !== undefined && (
              <span className="w-full ps-11 text-ink-muted">
                {translateSentence({ ...result, text: result.error })}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
