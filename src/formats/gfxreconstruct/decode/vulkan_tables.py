#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vulkan_tables.py VK.XML API_CALL_ID.H: writes vulkan.tsv.

Run by hand, when Vulkan or GFXReconstruct has new calls: VK.XML is Khronos' registry
(Vulkan-Headers, registry/vk.xml), API_CALL_ID.H is GFXReconstruct's
framework/format/api_call_id.h, which numbers the calls. The lines are described in
docs/gfxreconstruct.md 4.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

SCALARS = {
    'int8_t': 'i8', 'uint8_t': 'u8', 'char': 'u8', 'int16_t': 'i16', 'uint16_t': 'u16',
    'int32_t': 'i32', 'int': 'i32', 'uint32_t': 'u32', 'int64_t': 'i64', 'uint64_t': 'u64',
    'size_t': 'u64', 'float': 'f32', 'double': 'f64', 'VkBool32': 'bool', 'VkSampleMask': 'u32',
    'VkDeviceSize': 'u64', 'VkDeviceAddress': 'hex', 'VkFlags': 'u32', 'VkFlags64': 'u64',
    'Window': 'u64', 'VisualID': 'u64', 'RROutput': 'u64', 'GgpFrameToken': 'u64',
    'xcb_visualid_t': 'u32', 'xcb_window_t': 'u32', 'DWORD': 'u32', 'zx_handle_t': 'u32',
    'GgpStreamDescriptor': 'u64', 'HINSTANCE': 'hex', 'HWND': 'hex', 'HMONITOR': 'hex',
    'HANDLE': 'hex', 'VkRemoteAddressNV': 'hex',
}
# What GFXReconstruct encodes differently from the registry (docs/gfxreconstruct.md 4).
SPECIAL = {
    'VkClearColorValue': ['*f32:float32'],
    'VkClearValue': ['struct/VkClearColorValue:color'],
    'VkPipelineExecutableStatisticValueKHR': ['u64:u64'],
    'VkDeviceOrHostAddressKHR': ['hex:deviceAddress'],
    'VkDeviceOrHostAddressConstKHR': ['hex:deviceAddress'],
    'VkDeviceOrHostAddressConstAMDX': ['hex:deviceAddress'],
}
SPECIAL_MEMBERS = {
    ('VkMemoryToImageCopy', 'pHostPointer'): '*u8:pHostPointer',
    ('VkImageToMemoryCopy', 'pHostPointer'): '*u8:pHostPointer',
    ('VkPushDescriptorSetWithTemplateInfo', 'pData'): 'unknown:pData',
    ('VkLayerSettingEXT', 'pValues'): 'unknown:pValues',
    ('VkDataGraphPipelineConstantARM', 'pConstantData'): 'unknown:pConstantData',
}
# Calls whose last parameter is written by a descriptor update template's entries.
BY_TEMPLATE = re.compile('vk(Update|CmdPush)DescriptorSetWithTemplate(KHR)?$')
NOT_IN_REGISTRY = {
    'vkFrameBoundaryANDROID': ['-', 'handle:device', 'handle:semaphore', 'handle:image'],
}


def wanted(element):
    return 'vulkan' in element.get('api', 'vulkan').split(',')


class Registry:
    def __init__(self, root):
        self.root = root
        self.types, self.aliases = {}, {}
        for element in root.iter('type'):
            name = element.get('name') or element.findtext('name')
            if not wanted(element) or name is None:
                continue
            if element.get('alias'):
                self.aliases[name] = element.get('alias')
            elif name not in self.types:
                self.types[name] = element
        self.enums, self.bits64 = self.read_enums()
        self.values = {name: value for block in self.enums.values()
                       for name, value in block.items()}

    def read_enums(self):
        enums, bits64 = {}, set()
        for block in self.root.iter('enums'):
            if block.get('type') not in ('enum', 'bitmask'):
                continue
            values = enums.setdefault(block.get('name'), {})
            if block.get('bitwidth') == '64':
                bits64.add(block.get('name'))
            for item in block.iter('enum'):
                if item.get('alias') is None:
                    values[item.get('name')] = self.number(item, 0)
        for part in list(self.root.iter('feature')) + list(self.root.iter('extension')):
            if 'vulkan' not in (part.get('api') or part.get('supported') or '').split(','):
                continue
            for item in part.iter('enum'):
                if item.get('extends') in enums and item.get('alias') is None and wanted(item):
                    enums[item.get('extends')][item.get('name')] = self.number(
                        item, int(part.get('number') if part.tag == 'extension' else 0))
        return enums, bits64

    @staticmethod
    def number(item, extension):
        if item.get('bitpos') is not None:
            return 1 << int(item.get('bitpos'))
        if item.get('offset') is not None:
            value = 1000000000 + (int(item.get('extnumber') or extension) - 1) * 1000
            value += int(item.get('offset'))
            return -value if item.get('dir') == '-' else value
        return int(item.get('value'), 0)

    def resolve(self, name):
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def kind(self, name):
        """Returns how a value of this type is encoded, and whether it is a structure."""
        name = self.resolve(name)
        if name in SCALARS:
            return SCALARS[name]
        element = self.types.get(name)
        category = element.get('category') if element is not None else None
        if category == 'handle':
            return 'handle'
        if name.startswith('PFN_'):
            return 'hex'
        if category in ('struct', 'union'):
            return 'struct/' + name
        if category == 'bitmask':
            bits = element.get('requires') or element.get('bitvalues')
            wide = 'VkFlags64' in ''.join(element.itertext())
            if bits is None or not self.enums.get(bits):
                return 'flags64' if wide else 'flags'
            return ('flags64/' if wide else 'flags/') + bits
        if category == 'enum':
            if 'FlagBits' in name:
                return ('flags64/' if name in self.bits64 else 'flags/') + name
            return 'enum/' + name
        return None

    def member(self, element):
        """Returns `kind:name`, with a star if a pointer's attributes precede it."""
        type_name = self.resolve(element.findtext('type'))
        comments = [comment.text for comment in element.findall('comment')]
        text = ''.join(part for part in element.itertext() if part not in comments)
        name = element.findtext('name')
        stars = text.count('*') + text[text.index(name):].count('[')
        kind = self.kind(type_name)
        if name == 'pNext' and stars == 1:
            return 'next:pNext'
        if type_name == 'LPCWSTR':
            return '*wide:' + name
        if type_name == 'char' and stars:
            return '*string:' + name
        if type_name == 'void':
            if stars == 1:
                return ('*u8:' if element.get('len') else 'hex:') + name
            return '*hex:' + name
        if kind is None: # an object of a window system, or of a video codec
            if type_name.startswith('StdVideo') or type_name == 'SECURITY_ATTRIBUTES':
                return ('*' if stars else '') + 'unknown:' + name
            return ('*hex:' if stars == 2 else 'hex:') + name
        if element.get('selector') and type_name not in SPECIAL:
            return 'union/%s@%s:%s' % (type_name, element.get('selector'), name)
        return ('*' if stars else '') + kind + ':' + name

    def members(self, element, tag):
        owner = element.get('name')
        return [SPECIAL_MEMBERS.get((owner, item.findtext('name'))) or self.member(item)
                for item in element.findall(tag) if wanted(item)]

    def structs(self):
        """Yields the rows in order: those with an sType come last, in its order."""
        rows = list(self.structs_in_any_order())
        yield from sorted(rows, key=lambda row: (row[0] != 'union',
                                                 -1 if row[2] == '-' else int(row[2])
                                                 if row[0] == 'struct' else 0, row[1]))

    def structs_in_any_order(self):
        for name, element in sorted(self.types.items()):
            if element.get('category') not in ('struct', 'union'):
                continue
            selected = [item for item in element.findall('member') if item.get('selection')]
            if name in SPECIAL:
                yield ['struct', name, '-'] + SPECIAL[name]
            elif element.get('category') == 'struct':
                stype = [item.get('values') for item in element.findall('member')
                         if item.findtext('name') == 'sType' and item.get('values')]
                value = str(self.values.get(stype[0], '-')) if stype else '-'
                yield ['struct', name, value] + self.members(element, 'member')
            elif selected:
                row = ['union', name]
                for item in selected:
                    for value in item.get('selection').split(','):
                        if value in self.values:
                            row.append('%d=%s' % (self.values[value], self.member(item)))
                yield row

    def named(self):
        for name, values in sorted(self.enums.items()):
            if not values:
                continue
            words = list(values)
            prefix = words[0]
            while not all(word.startswith(prefix) for word in words) or not prefix.endswith('_'):
                prefix = prefix[:-1]
            if len(words) == 1:
                prefix = 'VK_'
            kind = 'bits' if 'FlagBits' in name else 'enum'
            cells = ['%d=%s' % (value, word[len(prefix):]) for word, value in
                     sorted(values.items(), key=lambda item: item[1])]
            yield [kind, name, prefix] + cells

    def commands(self):
        found, aliases = {}, {}
        for element in self.root.iter('command'):
            if not wanted(element):
                continue
            if element.get('alias'):
                aliases[element.get('name')] = element.get('alias')
            elif element.find('proto') is not None:
                found[element.findtext('proto/name')] = element
        for name, target in aliases.items():
            while target in aliases:
                target = aliases[target]
            if target in found:
                found[name] = found[target]
        return found


def calls(registry, header):
    commands = registry.commands()
    pattern = re.compile(r'ApiCall_(vk\w+)\s*=\s*MakeApiCallId\(ApiFamily_Vulkan,\s*(0x\w+)\)')
    found = {int(number, 0): name for name, number in pattern.findall(header)}
    for number, name in sorted(found.items()):
        row = ['call', '%04x' % number, name]
        command = commands.get(name)
        if command is None:
            yield row + NOT_IN_REGISTRY.get(name, ['-', 'unknown:parameters'])
            continue
        result = command.findtext('proto/type')
        row.append('-' if result == 'void' else registry.kind(result))
        row += registry.members(command, 'param')
        if BY_TEMPLATE.match(name):
            row[-1] = 'unknown:pData'
        yield row


def main():
    registry = Registry(ElementTree.parse(sys.argv[1]).getroot())
    with open(sys.argv[2]) as file:
        header = file.read()
    for rows in (registry.named(), registry.structs(), calls(registry, header)):
        for row in rows:
            print('\t'.join(row))


main()
