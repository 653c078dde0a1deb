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
import { useInput } from '../../../lib/input/use-input.ts'
import { GroupChoice } from '../group-choice.tsx'
import { maxInvitedAtOnce, maxListedCharacters, maxOwnGroups } from '../service-limits.ts'
import { InvitedLimits } from './invited-limits.tsx'
import { InviteResults } from './invite-results.tsx'
import { formatAddresses, parseAddresses, type ListedAddress } from './parse-addresses.ts'
import { useInviteList } from './use-invite-list.ts'

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
