import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { getIdentityProviders } from '../../../lib/api/config.ts'
import { isFocusLost } from '../../../lib/input/focus-targets.ts'
import { findProviderByEmail } from '../../../lib/sign-in/identity-providers.ts'
import { GroupChoice } from '../group-choice.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { useInput } from '../../../lib/input/use-input.ts'
import { maxEmailCharacters } from '../service-limits.ts'
import { dayChoices, defaultDays } from './invitation-days.ts'
import { InvitedLimits } from './invited-limits.tsx'
import { useInvite } from './use-invite.ts'

/** Invites an address, with the groups that the account gets. */
export function InviteCard() {
  const field = useRef<HTMLInputElement>(null)
  const email = useInput('invite')
  const [days, setDays] = useState<number>(defaultDays)
  const [groups, setGroups] = useState<string[]>([])
  const [problem, setProblem] = useState<string>()
  const { start, isBusy, error, data, reset } = useInvite((sent) => {
    // what was entered meanwhile is for the next person
    sent.input.markSaved('')
    setGroups((current) => (current === sent.groups ? [] : current))
    // ready for the next person, unless the administrator is doing something else by now
    const input = field.current
    if (isFocusLost() || input?.form?.contains(document.activeElement)) input?.focus()
  })
  const provider = findProviderByEmail(getIdentityProviders(), email.value.trim())
  const submit = () => {
    // the service checks the address itself
    if (!/^[^\s@]+@\S+$/.test(email.value.trim())) {
      setProblem(t`Please enter an e-mail address.`)
      field.current?.focus()
    } else start({ input: email, groups, days })
  }
  return (
    <SettingsCard
      title={t`Invite somebody`}
      subtitle={t`They get a link to sign up with this address. It works until the invitation expires.`}
    >
      <form
        noValidate
        className="mt-4 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)_9rem] items-start gap-4 max-sm:grid-cols-1">
          <TextField
            ref={field}
            label={t`E-mail`}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={maxEmailCharacters}
            input={email}
            error={problem}
            hint={provider && t`Signs in with ${provider.label}`}
            onInput={() => {
              setProblem(undefined)
              if (error || data) reset()
            }}
          />
          <SelectField
            label={t`Valid for`}
            value={String(days)}
            options={dayChoices.map((count) => ({
              value: String(count),
              label: plural(count, { one: '# day', other: `# days` }),
            }))}
            onChange={(value) => setDays(Number(value))}
          />
        </div>
        <GroupChoice chosenGroups={groups} onChange={setGroups} />
        <InvitedLimits people={[groups]} />
        {error && (
          <Callout variant="danger" error={error}>
            {getActionErrorMessage(error)}
          </Callout>
        )}
        {data?.sent_at === null && (
          <Callout variant="info">{t`${data.email} is invited. This installation sent no e-mail: copy the link and pass it on.`}</Callout>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          className="justify-self-start max-sm:justify-self-stretch"
        >
          {t`Invite`}
        </Button>
      </form>
    </SettingsCard>
  )
}
