/** What is used of the SDK of Owlbear Rodeo, which is vendored as a bundle. */
declare const OBR: {
  onReady(callback: () => void): void;
  readonly isAvailable: boolean;
  readonly room: {
    readonly id: string;
    getMetadata(): Promise<Record<string, unknown>>;
    setMetadata(update: Record<string, unknown>): Promise<void>;
    onMetadataChange(callback: (metadata: Record<string, unknown>) => void): () => void;
  };
  readonly player: { getName(): Promise<string>; getRole(): Promise<"GM" | "PLAYER"> };
  readonly theme: {
    getTheme(): Promise<{ mode: "DARK" | "LIGHT" }>;
    onChange(callback: (theme: { mode: "DARK" | "LIGHT" }) => void): () => void;
  };
  readonly action: { setBadgeText(text: string | undefined): Promise<void> };
};
export default OBR;
