import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from '../../lib/navigation/router.tsx'
import { parseRefusal } from '#shared/sign-in-refusal.ts'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useConfig } from '../../lib/api/config.ts'
import { findOnlyProvider, listProviders } from '../../lib/sign-in/identity-providers.ts'
import { loadAmplifyAuth } from '../../lib/sign-in/load-amplify-auth.ts'
import { createErrorDetails } from '../../lib/api/error-details.ts'
import { readStored, removeStored } from '../../lib/browser/storage.ts'
import { refusalKey } from '../../lib/api/stored-tokens.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { whenIdle } from '../../lib/browser/when-idle.ts'
import { useAuth } from './auth-context.ts'
import { describeRefusal } from './auth-errors.ts'
import { parseAuthLink, type AuthLink } from './auth-link.ts'
import { AuthStep } from './auth-step.tsx'
import * as errorTexts from './error-texts.ts'
import { findPendingSignIn } from './hosted-sign-in.ts'
import type { SignInAtProvider } from './provider-buttons.tsx'
import { leadsToShared, toReturnPath } from './return-path.ts'
import { SignInReason } from './sign-in-reason.ts'
import { useAuthFlow, type Step } from './use-auth-flow.ts'

/** /auth: sign in, sign up, confirm an account, reset the password. */
export function AuthPage() {
  const { state } = useAuth()
  // links are parsed with the configuration, which is not known before
  return state.status === 'loading' ? <LoadingScreen /> : <ConfiguredAuthPage />
}

function ConfiguredAuthPage() {
  const { state } = useAuth()
  const location = useLocation()
  const { passwordSignIn: hasPasswords = true, mailbox, ...config } = useConfig() ?? {}
  const providers = listProviders(config)
  const [link] = useState(() =>
    parseLink(location, { hasPasswords, onlyProvider: findOnlyProvider(config)?.label }),
  )
  const flow = useAuthFlow(link)
  const { step } = flow

  const isFollowingLink = step.name === 'working' || (link?.kind === 'recovery' && step.name === 'reset')
  const isLeaving = state.status === 'signed-in' && !isFollowingLink

  // an invitation stays in the address: without it, a reload would close the form. While leaving, the navigation would bring the user back
  useRemovedQuery({ isKept: link?.kind === 'invited' || isLeaving })
  useEffect(showAccountRefusal, [])
  // preloads Amplify, which the first submit needs
  useEffect(
    () =>
      void whenIdle()
        .then(loadAmplifyAuth)
        .catch(() => undefined),
    [],
  )
  useDocumentTitle(getPageTitle(step, { hasPasswords, link }))

  const targetPath = toReturnPath(flow.returnPath === undefined ? location.state : { from: flow.returnPath })
  if (isLeaving) return <Navigate to={targetPath} />
  const signInAtProvider: SignInAtProvider = (provider, loginHint) =>
    flow.signInAtProvider(provider, { returnPath: targetPath, ...(loginHint && { loginHint }) })

  return (
    <PageFrame
      footer={
        mailbox === undefined
          ? t`Self-hosted: your data is stored in your organisation's AWS account. The configured model and the tools that you connect receive what is sent to them.`
          : t`Self-hosted: your data is stored on the computer that runs this. The configured model and the tools that you connect receive what is sent to them.`
      }
    >
      <SignInReason
        value={
          leadsToShared(targetPath)
            ? t`This conversation is shared with people who have an account here.`
            : undefined
        }
      >
        <AuthStep
          flow={flow}
          link={link}
          hasPasswords={hasPasswords}
          providers={providers}
          onProvider={signInAtProvider}
        />
      </SignInReason>
    </PageFrame>
  )
}

/** Tells a user why the session has ended, if the user pool has refused the account. */
function showAccountRefusal(): void {
  const reason = readStored('session', refusalKey)
  removeStored('session', refusalKey)
  if (reason === null) return
  const refusal = describeRefusal(reason)
  showToast('error', t`Signed out`, {
    id: 'account-refused',
    cause: createErrorDetails(parseRefusal(reason)?.code ?? 'account_refused'),
    ...(refusal && { description: refusal.userMessage }),
  })
}

/** Removes the query from the address once it is read: a reload must not repeat the link, and a code must not stay in the history. */
function useRemovedQuery({ isKept }: { isKept: boolean }): void {
  const location = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (location.search !== '' && !isKept) navigate('/auth', { replace: true, state: location.state })
  }, [location, navigate, isKept])
}

/** Parses the link. Refuses the links of e-mails that were sent while users still had passwords. */
const parseLink = (
  address: Pick<Location, 'search' | 'hash'>,
  { hasPasswords, onlyProvider }: { hasPasswords: boolean; onlyProvider: string | undefined },
): AuthLink | undefined => {
  const link = parseAuthLink(address, findPendingSignIn()?.label ?? onlyProvider)
  return !hasPasswords && (link?.kind === 'confirm' || link?.kind === 'recovery')
    ? {
        kind: 'refused',
        userMessage: errorTexts.passwordsOff,
        cause: createErrorDetails('password_off'),
      }
    : link
}

function getPageTitle(
  step: Step,
  { hasPasswords, link }: { hasPasswords: boolean; link: AuthLink | undefined },
): string {
  if (step.name === 'credentials')
    return step.mode === 'create' && hasPasswords ? t`Create account` : t`Sign in`
  return {
    working: link?.kind === 'hosted' ? t`Sign in` : t`Confirm`,
    confirm: t`Check your e-mail`,
    reset: t`New password`,
    'new-password': t`New password`,
    totp: t`Two-factor`,
  }[step.name]
}
