import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { configureAuth, type SignedInUser } from '../../lib/auth-tokens.ts'
import { getProviderLabel } from '../../lib/config.ts'
import { toAuthError } from './auth-errors.ts'
import { createHostedSignInUrl } from './hosted-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { useSubmit } from './use-submit.ts'
import * as errorTexts from './error-texts.ts'
import * as texts from './sign-in-again-texts.tsx'
import * as commonTexts from '../../components/texts.ts'

/** Asks users of an identity provider to sign in again there. They then return to this page and repeat their action. */
export function ProviderSignInDialog({
  name,
  user,
  onCancel,
}: {
  name: string
  user: SignedInUser
  onCancel: () => void
}) {
  const label = getProviderLabel(name)
  const [problem, setProblem] = useState<string>()
  const { busy, submit } = useSubmit(async () => {
    try {
      const config = await configureAuth()
      if (!hasHostedUi(config)) return setProblem(errorTexts.misconfigured)
      const returnPath = location.pathname + location.search
      const options = { requiredSub: user.sub, returnPath, loginHint: user.email }
      location.assign(await createHostedSignInUrl(config, { name, label }, options))
    } catch (error) {
      setProblem(toAuthError(error, 'sign-in').userMessage)
    }
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onCancel()}
      title={texts.title}
      description={texts.description}
      footer={
        <>
          {/* on a phone the label of the provider needs the room */}
          <Button variant="ghost" onClick={onCancel} className="max-sm:flex-none!">
            {commonTexts.cancel}
          </Button>
          <Button variant="primary" busy={busy} onClick={submit} className="min-w-0">
            <span className="truncate">{texts.continueAt(label)}</span>
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {problem !== undefined && <Callout variant="danger">{problem}</Callout>}
        <p>{texts.leaveForProvider(label)}</p>
      </div>
    </Dialog>
  )
}
