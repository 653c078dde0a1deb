import { t } from '@lingui/core/macro'
import { untitled } from '#shared/untitled.ts'

/** @param title as it is stored @returns the title as it is shown: a conversation without one is called “New Chat” in the language of the page */
export const formatConversationTitle = (title: string): string => (title === untitled ? t`New Chat` : title)
