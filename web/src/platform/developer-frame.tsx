import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../shell/use-title.ts'
import { DeveloperNav } from './developer-nav.tsx'
import { Gate } from './gate.tsx'
import { loadSession } from './session.ts'
import './developer-frame.css'

interface DeveloperFrameProps {
  readonly title: string
  readonly lead?: ComponentChildren | undefined
  /** What stands beside the title: something to do on this page. */
  readonly aside?: ComponentChildren
  /** Who may see the page; everybody unless said. */
  readonly for?: 'everybody' | 'account' | 'admin'
  readonly children: ComponentChildren
}

/** The frame of every page for developers and operators: the way around, the title, and who may see the rest. */
export function DeveloperFrame({ title, lead, aside, for: whom = 'everybody', children }: DeveloperFrameProps) {
  useTitle(title)
  useEffect(() => {
    void loadSession()
  }, [])
  return (
    <div class="developer-page">
      <DeveloperNav />
      <div class="developer-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="soft">{lead}</p>}
        </div>
        {aside}
      </div>
      {whom === 'everybody' ? children : <Gate for={whom}>{children}</Gate>}
    </div>
  )
}
