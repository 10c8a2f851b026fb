#include "formats/vma/index/recording.h"

void vma_recording_counts(struct vma_recording *recording, struct vma_counts *out)
{
    pthread_mutex_lock(&recording->lock);
    *out = recording->counts;
    pthread_mutex_unlock(&recording->lock);
}

void vma_recording_line(const struct vma_recording *recording, uint32_t packet,
                        struct vma_line *out)
{
    vma_line_read(recording->data, recording->size, recording->offsets[packet / VMA_LINE_STEP],
                  out);
    for (uint32_t i = 0; i < packet % VMA_LINE_STEP; i++)
        vma_recording_next(recording, out);
}

void vma_recording_next(const struct vma_recording *recording, struct vma_line *line)
{
    vma_line_read(recording->data, recording->size, line->offset + line->bytes, line);
}

enum vma_packet_kind vma_recording_kind(const struct vma_recording *recording, uint32_t packet)
{
    if (packet >= recording->first_call)
        return VMA_PACKET_CALL;
    return packet == 0 ? VMA_PACKET_HEADER : packet == 1 ? VMA_PACKET_VERSION : VMA_PACKET_CONFIG;
}

const char *vma_recording_name(const struct vma_recording *recording, uint32_t packet,
                               const struct vma_line *line)
{
    static const char *const names[] = {"header", "version", "config"};
    enum vma_packet_kind kind = vma_recording_kind(recording, packet);
    struct vma_call_head head;

    if (kind != VMA_PACKET_CALL)
        return names[kind];
    vma_call_read_head(line->text, &head);
    if (head.verdict == VMA_CALL_BLANK)
        return "blank";
    return head.verdict == VMA_CALL_GOOD ? vma_functions[head.function].name : "unknown";
}

uint32_t vma_recording_frame_of(const struct vma_recording *recording, uint32_t packet)
{
    uint32_t low = 0, high = recording->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (recording->frames[middle].first <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? VMA_NO_FRAME : low - 1;
}

uint32_t vma_recording_frame_last(const struct vma_recording *recording, uint32_t frame)
{
    return recording->frames[frame + 1].first - 1;
}

size_t vma_recording_bytes(const struct vma_recording *recording)
{
    return (recording->packets / VMA_LINE_STEP + 1) * sizeof(uint64_t) +
           recording->frame_count * sizeof(struct vma_frame);
}
