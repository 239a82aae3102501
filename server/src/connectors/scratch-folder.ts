import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder for what does not fit into memory, made when it is first needed. */
export class ScratchFolder {
  private folder: string | undefined
  private files = 0

  /** The path of a file that nobody else uses. */
  newFile(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'marquee-scratch-'))
    return join(this.folder, String(this.files++))
  }

  /** Deletes the folder with all that is in it. */
  remove(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }
}
