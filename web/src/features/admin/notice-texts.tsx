import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { SignUpMode } from '#shared/sign-up-policy.ts'

export const youAreAdministrator = t`You are an administrator of this site`
export const whoMaySignUp: Record<SignUpMode, string> = {
  open: t`Everybody who reaches this page can create an account.`,
  domains: t`People with an address at certain e-mail domains, and those you invite, can create an account.`,
  closed: t`Only people whom you invite can create an account.`,
}
export const providerUsers = t`Users of your identity providers are admitted, too.`
export const changeByVariable = (name: ReactNode) => <Trans>The variable {name} changes that.</Trans>
export const changeByContext = (name: ReactNode) => <Trans>The context key {name} changes that.</Trans>
export const openAdministration = t`Open the administration`
export const inMenu = t`Administration is in your account menu.`
export const gotIt = t`Got it`
