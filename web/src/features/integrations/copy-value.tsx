import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { showToast } from '../../components/ui/toast.ts'

/** SETUP-09, LIM-07 */
const copiedMs = 2_000

/** Copies a value and says so on itself for 2 s (SETUP-09, SETUP-36, SETUP-37). */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      showToast('success', 'Copied!', { description: `${label} copied to clipboard` })
    } catch {
      showToast('error', 'Copy failed', { description: 'Please copy the text manually' })
    }
  }
  const word = copied ? 'Copied' : 'Copy'
  return (
    <Button tone="ghost" size="sm" aria-label={`${word} ${label}`} onClick={() => void copy()}>
      {copied ? <Check aria-hidden size={16} className="text-success" /> : <Copy aria-hidden size={16} />}
      {word}
    </Button>
  )
}
