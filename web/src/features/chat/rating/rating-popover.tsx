import { t } from '@lingui/core/macro'
import { MessageSquareText } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { RatingForm } from './rating-form.tsx'

/** The button beside the thumbs of a rated reply, which opens the form for a text about it. */
export function RatingPopover({
  isOpen,
  onOpenChange,
  ...form
}: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void } & Omit<
  ComponentProps<typeof RatingForm>,
  'onClose'
>) {
  return (
    <Popover open={isOpen} onOpenChange={onOpenChange}>
      <PopoverTrigger asChild>
        <IconButton size="sm" label={t`Say why`} icon={<MessageSquareText size={16} />} />
      </PopoverTrigger>
      <PopoverContent aria-label={t`Say why`} align="start" side="top" className="p-4">
        <RatingForm {...form} onClose={() => onOpenChange(false)} />
      </PopoverContent>
    </Popover>
  )
}
