import { plural, t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextAreaField } from '../../../components/ui/field.tsx'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { GroupChoice } from '../group-choice.tsx'
import { maxInvitedAtOnce, maxListedCharacters, maxOwnGroups } from '../service-limits.ts'
import { InvitedLimits } from './invited-limits.tsx'
import { formatAddresses, parseAddresses, type ListedAddress } from './parse-addresses.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { announce } from '../../../lib/browser/announce.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { InvitationResult } from '#shared/contracts/admin.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { invitationsQuery } from '../admin-queries.ts'
import { defaultDays } from './invitation-days.ts'

/** Invites the addresses of a list or a CSV, and shows the result for each line. */
export function InviteListCard() {
  const showToast = useUserToast()
  const file = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const list = useInput('invite-list')
  const [groups, setGroups] = useState<string[]>([])
  const addresses = parseAddresses(list.value)
  const count = addresses.length
  const problem = describeProblem(addresses)
  const canInvite = count > 0 && problem === undefined
  const { start, isBusy, error, data, reset } = useInviteList()
  const forgetResult = () => {
    if (error || data) reset()
  }
  const openFile = (opened: File) =>
    opened.text().then(
      (text) => {
        list.change(text)
        forgetResult()
      },
      // such as a file that was removed since it was chosen
      (cause: unknown) => void showToast('error', t`The file could not be opened`, { cause }),
    )
  return (
    <SettingsCard
      title={t`Invite many`}
      subtitle={t`One address in each line, or a CSV with the address in a column, and the groups in one named “Groups”. Up to ${{ max: formatCount(maxInvitedAtOnce) }} at once.`}
    >
      <form
        ref={form}
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (canInvite) start({ input: list, addresses, groups })
        }}
      >
        <TextAreaField
          label={t`Addresses`}
          input={list}
          rows={6}
          spellCheck={false}
          autoCapitalize="off"
          error={problem}
          hint={count > 0 ? describeCount(count, addresses) : undefined}
          onInput={forgetResult}
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
              if (opened) void openFile(opened)
              // the same file can be opened again
              target.value = ''
            }}
          />
        </div>
        <GroupChoice chosenGroups={groups} onChange={setGroups} />
        {count > 0 && <InvitedLimits people={addresses.map((address) => [...groups, ...address.groups])} />}
        {error && (
          <Callout variant="danger" error={error}>
            {getActionErrorMessage(error)}
          </Callout>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabled={!canInvite}
          className="justify-self-start max-sm:justify-self-stretch"
        >
          {count === 0 ? t`Invite` : describeInvite(count)}
        </Button>
      </form>
      {data && (
        <InviteResults
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

/** Why the service would refuse the whole list; undefined if it takes it. */
function describeProblem(addresses: readonly ListedAddress[]): string | undefined {
  if (addresses.length > maxInvitedAtOnce)
    return describeTooMany(addresses.length, formatCount(maxInvitedAtOnce))
  const long = addresses.find(({ email, groups }) =>
    [email, ...groups].some((text) => text.length > maxListedCharacters),
  )
  if (long) return t`Line ${{ line: long.line }} is too long.`
  const crowded = addresses.find(({ groups }) => groups.length > maxOwnGroups)
  if (!crowded) return undefined
  return t`Line ${{ line: crowded.line }} has too many groups: up to ${{ max: maxOwnGroups }} can be in one line.`
}

const describeTooMany = (count: number, max: string) =>
  plural(count, {
    one: `The list has # address. Up to ${max} can be invited at once.`,
    other: `The list has # addresses. Up to ${max} can be invited at once.`,
  })
const describeCount = (count: number, addresses: readonly ListedAddress[]) =>
  addresses.some(({ groups }) => groups.length > 0)
    ? plural(count, {
        one: '# address, with groups from the list',
        other: '# addresses, with groups from the list',
      })
    : plural(count, { one: '# address', other: '# addresses' })
const describeInvite = (count: number) => plural(count, { one: 'Invite # person', other: 'Invite # people' })

const describeCorrection = (count: number) =>
  plural(count, { one: 'Correct # and try again', other: 'Correct # and try again' })

/** The results in the order of the list. */
const statusOrder = ['invalid', 'already', 'invited'] as const
const statusText = { invalid: t`Not invited`, already: t`Already here or invited`, invited: t`Invited` }
const statusVariant = { invalid: 'danger', already: 'quiet', invited: 'success' } as const

/**
 * Tells of the results, which may be below the fold: their heading takes the focus from the button that was pressed, which is disabled now.
 * Focus that is elsewhere stays.
 */
function showHeading(heading: HTMLElement | null): void {
  if (document.activeElement?.matches(':disabled')) heading?.focus()
  else if (heading) announce(heading.textContent)
}

/** Each line with its result: first those that were not invited. */
function InviteResults({
  lines,
  onCorrect,
}: {
  lines: readonly InvitedLine[]
  onCorrect: (wrong: readonly InvitedLine[]) => void
}) {
  const invited = lines.filter(({ status }) => status === 'invited').length
  const wrong = lines.filter(({ status }) => status === 'invalid')
  const sorted = lines.toSorted((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status))
  return (
    <section className="mt-6 grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3
          ref={showHeading}
          tabIndex={-1}
          className="font-medium outline-none"
        >{t`${{ count: invited }} of ${{ all: lines.length }} invited`}</h3>
        {wrong.length > 0 && (
          <Button size="sm" variant="soft" onClick={() => onCorrect(wrong)}>
            {describeCorrection(wrong.length)}
          </Button>
        )}
      </div>
      <ol
        aria-label={t`Results`}
        // not every browser makes a scroller focusable
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-96 divide-y divide-line overflow-y-auto scroll-quiet"
      >
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

/** The service invites for up to 22 seconds, and then answers for the rest of the list. */
const timeoutMs = 29_000

/** A line of the list, and what became of it. */
type InvitedLine = InvitationResult & Pick<ListedAddress, 'line' | 'groups'>

interface SentList {
  /** the text of the list */
  input: Input<string>
  addresses: readonly ListedAddress[]
  /** those of everybody in the list */
  groups: readonly string[]
}

/** Invites the people of a list in one request. It asks for a new sign-in if the last one is too long ago. */
function useInviteList() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useActionMutation('invite-list', {
    failureTitle: t`The list was not invited`,
    run: async (sent: SentList) => {
      const people = sent.addresses.map(({ email, groups }) => ({ email, groups }))
      const { results = [] } = await withRecentSignIn(() =>
        callApi(
          'admin.invite',
          { body: { people, groups: [...sent.groups], days: defaultDays } },
          { timeoutMs },
        ),
      )
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return results.map((result, index): InvitedLine => {
        const { line = 0, groups: own = [] } = sent.addresses[index] ?? {}
        return { ...result, line, groups: own }
      })
    },
    onSuccess: (_lines, { input }) => input.markSaved(''),
  })
}
