import { Check, Copy } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useCopy } from '../../../components/use-copy.ts'
import * as commonTexts from '../../../components/texts.ts'

/** Copies a text, and confirms it in place. */
export function CopyButton({ label, text, className }: { label: string; text: string; className?: string }) {
  const { copied, copy } = useCopy()
  return (
    <IconButton
      size="sm"
      label={copied ? commonTexts.copied : label}
      icon={copied ? <Check size={16} className="text-success" /> : <Copy size={16} />}
      onClick={() => void copy(text)}
      {...(className !== undefined && { className })}
    />
  )
}
